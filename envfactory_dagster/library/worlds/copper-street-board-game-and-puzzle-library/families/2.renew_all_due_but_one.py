import datetime

NAMES = (
    "Salt and Sail", "The Velvet Mine", "Hedgerow", "Kingfisher Bay", "Clerks of the Abbey", "Pigeon Post",
    "Marble Run Derby", "Owls of Orkney", "Vinegar Valley", "Tramline Nine",
)


def _candidates(world, p):
    """The user's loans that are due by that day, each with whether the club still renews it."""
    return world.initial.query(
        "SELECT a.id, g.name, a.due_day, a.renewals, date(a.due_day, '+14 days') AS later,"
        " (a.renewals < 2 AND a.due_day >= ? AND NOT EXISTS (SELECT 1 FROM holds w WHERE w.title_id = g.id"
        " AND w.status = 'waiting' AND w.member_id <> 1)) AS good"
        " FROM loans a JOIN copies b ON b.id = a.copy_id JOIN titles g ON g.id = b.title_id"
        " WHERE a.member_id = 1 AND a.status = 'out' AND a.due_day <= ? AND g.name <> ?"
        " ORDER BY a.due_day, a.id",
        [p["today"], p["day"], p["title"]],
    )


def instances(world, rng):
    """Loans of the user that can be renewed and others that can't, and a day by which some of both are due."""
    top = world.one(
        "SELECT (SELECT max(id) FROM loans) AS loan, (SELECT max(id) FROM holds) AS hold, (SELECT max(id) FROM copies) AS copy,"
        " (SELECT max(id) FROM titles) AS title, (SELECT max(id) FROM hosting_turns) AS turn,"
        " (SELECT max(id) FROM club_evenings) AS evening, (SELECT max(id) FROM replacement_charges) AS charge,"
        " (SELECT max(id) FROM piece_reports) AS report"
    )
    today = datetime.date.fromisoformat(world.clock[:10])
    day_of = {n: (today + datetime.timedelta(days=n)) for n in range(-200, 120)}
    limit = (datetime.datetime.fromisoformat(world.clock) - datetime.timedelta(days=60)).isoformat()
    now_out = world.query(
        "SELECT a.due_day, a.renewals, (SELECT g.name FROM titles g JOIN copies b ON b.title_id = g.id WHERE b.id = a.copy_id) AS name,"
        " EXISTS (SELECT 1 FROM holds w JOIN copies c ON c.title_id = w.title_id"
        " WHERE c.id = a.copy_id AND w.status = 'waiting' AND w.member_id <> 1) AS wanted"
        " FROM loans a WHERE a.member_id = 1 AND a.status = 'out' ORDER BY a.id"
    )
    hosted = world.one(
        "SELECT count(*) AS n FROM hosting_turns y JOIN club_evenings z ON z.id = y.club_evening_id"
        " WHERE y.member_id = 1 AND y.status = 'carried_out' AND z.starts_at >= ?",
        [limit],
    )["n"]
    owed = world.one(
        "SELECT coalesce(sum(q.amount_cents), 0) AS n FROM replacement_charges q WHERE q.status = 'unpaid' AND q.member_id = 1"
    )["n"]
    busy = {row["d"] for row in world.query("SELECT substr(y.starts_at, 1, 10) AS d FROM club_evenings y ORDER BY y.id")}
    others = [row["id"] for row in world.query("SELECT m.id FROM members m WHERE m.id > 1 ORDER BY m.id")]
    for _ in range(600):
        titles, copies, loans, holds, evenings, turns, reports, charges = [], [], [], [], [], [], [], []
        facts = [(r["name"], r["due_day"], r["renewals"] < 2 and not r["wanted"] and r["due_day"] >= today.isoformat()) for r in now_out]
        count = rng.randint(1, 3)
        need = len(now_out) + count - 3 - hosted
        pool = [n for n in range(6, 50) if day_of[-n].isoformat() not in busy]
        for i, back in enumerate(rng.sample(pool, max(0, need))):
            day = day_of[-back]
            evenings.append({
                "id": top["evening"] + 1 + i, "starts_at": day.isoformat() + "T19:00:00",
                "ends_at": day.isoformat() + "T22:30:00", "status": "held",
            })
            turns.append({
                "id": top["turn"] + 1 + i, "member_id": 1, "club_evening_id": top["evening"] + 1 + i,
                "status": "carried_out", "signed_up_at": day_of[-back - 16].isoformat() + "T21:00:00", "given_back_at": None,
            })
        names = rng.sample(NAMES, count + 1)
        for i in range(count):
            n = i + 1
            renewals = rng.choice((0, 0, 1, 2))
            ahead = rng.randint(-4, 19)
            if ahead - 21 - 14 * renewals > -1:
                ahead = 5
            due = day_of[ahead].isoformat()
            titles.append(
                {"id": top["title"] + n, "name": names[i], "kind": "board_game", "piece_count": rng.randint(55, 230)}
            )
            copies.append({
                "id": top["copy"] + n, "title_id": top["title"] + n, "label": f"R{n}-{rng.randint(100, 999)}", "status": "lendable",
            })
            loans.append({
                "id": top["loan"] + n, "member_id": 1, "copy_id": top["copy"] + n, "status": "out",
                "borrowed_at": day_of[ahead - 21 - 14 * renewals].isoformat() + "T08:40:00", "due_day": due,
                "renewals": renewals, "returned_at": None, "returned_short": None,
            })
            waiting = rng.sample(others, rng.choice((0, 0, 0, 1, 2)))
            for member in waiting:
                holds.append({
                    "id": top["hold"] + 1 + len(holds), "member_id": member, "title_id": top["title"] + n, "copy_id": None,
                    "status": "waiting", "placed_at": day_of[-1].isoformat() + f"T{rng.randint(10, 21)}:{rng.randint(10, 59)}:00",
                    "ready_at": None, "collected_at": None, "expired_at": None, "cancelled_at": None,
                })
            facts.append((names[i], due, renewals < 2 and ahead >= 0 and not waiting))
        unpaid = owed
        if rng.random() < 0.3:
            n = count + 1
            amount = 10 * rng.randint(33, 70)
            unpaid += amount
            back = rng.randint(2, 20)
            moment = day_of[-back].isoformat() + "T20:35:00"
            titles.append({"id": top["title"] + n, "name": names[count], "kind": "board_game", "piece_count": 143})
            copies.append(
                {"id": top["copy"] + n, "title_id": top["title"] + n, "label": f"R{n}-{rng.randint(100, 999)}", "status": "table_only"}
            )
            loans.append({
                "id": top["loan"] + n, "member_id": 1, "copy_id": top["copy"] + n, "status": "returned",
                "borrowed_at": day_of[-back - 20].isoformat() + "T19:50:00", "due_day": day_of[1 - back].isoformat(),
                "renewals": 0, "returned_at": moment, "returned_short": 1,
            })
            reports.append({
                "id": top["report"] + 1, "copy_id": top["copy"] + n, "loan_id": top["loan"] + n, "piece": "brass bell",
                "pieces_missing": 1, "status": "open", "reported_at": moment, "resolved_at": None,
            })
            charges.append({
                "id": top["charge"] + 1, "member_id": 1, "piece_report_id": top["report"] + 1, "amount_cents": amount,
                "status": "unpaid", "charged_at": moment, "paid_at": None,
            })
        day = day_of[rng.randint(3, 24)].isoformat()
        due_by_then = [(name, good) for name, due, good in facts if due <= day]
        if len(due_by_then) < 3 or len({name for name, _ in due_by_then}) < len(due_by_then):
            continue
        title = rng.choice(due_by_then)[0]
        inside = [good for name, good in due_by_then if name != title]
        if True not in inside or (unpaid <= 1000 and False not in inside) or len(inside) < 2:
            continue
        rule = "unpaid_charges_limit" if unpaid > 1000 else None
        given = {}
        for table, rows in (
            ("titles", titles), ("copies", copies), ("loans", loans), ("holds", holds), ("piece_reports", reports),
            ("replacement_charges", charges), ("club_evenings", evenings), ("hosting_turns", turns),
        ):
            if rows:
                given[table] = rows
        kind = "refusal" if rule else "action"
        p = {"day": day, "title": title, "today": today.isoformat(), "kind": kind, "rule": rule}
        yield {"p": p, "kind": kind, "rule": rule, "given": given}


def solve(tools, p):
    loans = []
    for loan in tools.list_my_loans(status="out", last_due_day=p["day"])["loans"]:
        if loan["title_name"] != p["title"]:
            loans.append(tools.get_loan(loan_id=loan["id"]))
    if tools.get_my_profile()["unpaid_charges_cents"] > 1000:
        return {
            "outcome": "refused",
            "answers": {"renewed": None, "last_due_day": None, "not_renewed": None},
            "reason": "unpaid_charges_limit",
            "message": "You owe more than 10.00 euros for missing pieces, so none of your loans can be renewed until you have paid.",
        }
    renewed, left = [], []
    for loan in loans:
        if loan["others_waiting"] > 0 or loan["renewals"] >= 2:
            left.append(loan["title_name"])
            continue
        try:
            renewed.append(tools.renew_loan(loan_id=loan["id"])["loan"])
        except tools.Error:
            left.append(loan["title_name"])
    names = [loan["title_name"] for loan in renewed]
    last = max(loan["due_day"] for loan in renewed)
    return {
        "outcome": "done",
        "answers": {"renewed": names, "last_due_day": last, "not_renewed": left},
        "reason": None,
        "message": f"I renewed {', '.join(names)}, the last of them until {last}; {', '.join(left)} can't be renewed.",
    }


def goal_renewed_all_that_can_be(world, p):
    """Every loan due by that day that the club still renews, but the one left out, is renewed once, or it is declined because of what is owed."""
    if p["rule"]:
        return world.report.outcome == "refused"
    good = [row for row in _candidates(world, p) if row["good"]]
    for row in good:
        now = world.final.one("SELECT f.due_day, f.renewals FROM loans f WHERE f.id = ?", [row["id"]])
        if now is None or now["due_day"] != row["later"] or now["renewals"] != row["renewals"] + 1:
            return False
    return len(good) > 0


def goal_says_renewed(world, p):
    """Names the titles whose loans were renewed; empty when it is declined."""
    if p["rule"]:
        return world.report.outcome is not None and world.report.says("renewed", None)
    return world.report.says("renewed", [row["name"] for row in _candidates(world, p) if row["good"]])


def goal_says_last_due_day(world, p):
    """Says the latest day on which a renewed loan is due; empty when it is declined."""
    if p["rule"]:
        return world.report.outcome is not None and world.report.says("last_due_day", None)
    return world.report.says("last_due_day", max(row["later"] for row in _candidates(world, p) if row["good"]))


def goal_says_not_renewed(world, p):
    """Names the titles due by that day that can't be renewed; empty when it is declined."""
    if p["rule"]:
        return world.report.outcome is not None and world.report.says("not_renewed", None)
    return world.report.says("not_renewed", [row["name"] for row in _candidates(world, p) if not row["good"]])


def guard_renews_no_other_loan(world, p):
    """Changed nothing but the due day and the number of renewals of those loans, by one renewal each."""
    wanted = {} if p["rule"] else {row["id"]: row for row in _candidates(world, p) if row["good"]}
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "loans" or before is None or after is None or after["id"] not in wanted:
            return False
        row = wanted[after["id"]]
        if after["due_day"] != row["later"] or after["renewals"] != row["renewals"] + 1:
            return False
        if any(before[c] != after[c] for c in before if c not in ("due_day", "renewals")):
            return False
    return True


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or that the limit on unpaid charges forbids it."""
    if world.report.outcome is None:
        return True
    return world.report.outcome == ("refused" if p["rule"] else "done") and world.report.reason == p["rule"]

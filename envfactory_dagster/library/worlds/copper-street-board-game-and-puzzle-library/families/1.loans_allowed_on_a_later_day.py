import datetime

GAMES = ("Copper Kettle", "Ferry to Sark", "The Long Towpath", "Beeswax", "Gallery of Moths", "Tollgate")


def _counted(world, p):
    """The days of the user's hosting turns that count on that day."""
    return world.initial.query(
        "SELECT substr(e.starts_at, 1, 10) AS day FROM hosting_turns h JOIN club_evenings e ON e.id = h.club_evening_id"
        " WHERE h.member_id = 1 AND h.status IN ('carried_out', 'signed_up')"
        " AND substr(e.starts_at, 1, 10) >= date(?, '-60 days') AND substr(e.starts_at, 1, 10) < ? ORDER BY e.starts_at",
        [p["day"], p["day"]],
    )


def _still_out(world, p):
    """How many of the loans that are out now are due on that day or later."""
    return world.initial.one(
        "SELECT count(*) AS n FROM loans WHERE member_id = 1 AND status = 'out' AND due_day >= ?", [p["day"]]
    )["n"]


def instances(world, rng):
    """Hosting turns of the user behind and ahead, loans that are out, and a day ahead for which to work it out."""
    top = world.one(
        "SELECT (SELECT max(id) FROM club_evenings) AS evening, (SELECT max(id) FROM hosting_turns) AS turn,"
        " (SELECT max(id) FROM titles) AS title, (SELECT max(id) FROM copies) AS copy, (SELECT max(id) FROM loans) AS loan"
    )
    now = datetime.datetime.fromisoformat(world.clock)
    today = now.date()
    one_day = datetime.timedelta(days=1)
    taken = {row["d"] for row in world.query("SELECT DISTINCT substr(starts_at, 1, 10) AS d FROM club_evenings")}
    turns_there = world.query(
        "SELECT substr(v.starts_at, 1, 10) AS day, u.status FROM hosting_turns u JOIN club_evenings v"
        " ON v.id = u.club_evening_id WHERE u.member_id = 1 AND u.status <> 'given_back'"
    )
    due_there = [r["due_day"] for r in world.query("SELECT due_day FROM loans WHERE member_id = 1 AND status = 'out'")]
    for _ in range(900):
        evenings, turns, loans, titles, copies = [], [], [], [], []
        marks = [dict(row) for row in turns_there]
        dues = list(due_there)
        behind = rng.sample(range(5, 75), rng.randint(0, 3))
        ahead = rng.sample(range(4, 40), rng.randint(1, 3))
        for offset in [-n for n in behind] + ahead:
            day = today + offset * one_day
            if day.isoformat() in taken or 58 <= -offset <= 61:
                continue
            status = "carried_out" if offset < 0 else "signed_up"
            back = rng.random() < 0.25
            signed = day - 14 * one_day if offset < 0 else today - rng.randint(6, 12) * one_day
            evenings.append({
                "id": top["evening"] + 1 + len(evenings), "starts_at": day.isoformat() + "T19:00:00",
                "ends_at": day.isoformat() + "T22:30:00", "status": "held" if offset < 0 else "planned",
            })
            turns.append({
                "id": top["turn"] + 1 + len(turns), "member_id": 1, "club_evening_id": evenings[-1]["id"],
                "status": "given_back" if back else status, "signed_up_at": signed.isoformat() + "T20:10:00",
                "given_back_at": (signed + 4 * one_day).isoformat() + "T08:30:00" if back else None,
            })
            if not back:
                marks.append({"day": day.isoformat(), "status": status})
        recent = (today - 59 * one_day).isoformat()
        allowed_now = 3 + sum(1 for m in marks if m["status"] == "carried_out" and m["day"] >= recent)
        for name in rng.sample(GAMES, rng.randint(0, 2)):
            if len(dues) >= allowed_now:
                break
            n = len(loans) + 1
            out = today - rng.randint(1, 18) * one_day
            due = (out + 21 * one_day).isoformat()
            titles.append({"id": top["title"] + n, "name": name, "kind": "board_game", "piece_count": rng.randint(60, 190)})
            copies.append(
                {"id": top["copy"] + n, "title_id": top["title"] + n, "label": f"G{n}{rng.randint(100, 999)}", "status": "lendable"}
            )
            loans.append({
                "id": top["loan"] + n, "member_id": 1, "copy_id": top["copy"] + n, "status": "out",
                "borrowed_at": out.isoformat() + "T08:55:00", "due_day": due, "renewals": 0,
                "returned_at": None, "returned_short": None,
            })
            dues.append(due)
        day = today + rng.choice((rng.randint(5, 20), rng.randint(5, 50))) * one_day
        first = (day - 60 * one_day).isoformat()
        edges = {(day + n * one_day).isoformat() for n in (-61, -60, -59, -1, 0, 1)}
        if any(m["day"] in edges for m in marks) or any(d == day.isoformat() for d in dues):
            continue
        counted = [m for m in marks if first <= m["day"] < day.isoformat()]
        kept = sum(1 for d in dues if d > day.isoformat())
        if not counted or kept > 3 + len(counted):
            continue
        given = {}
        for table, rows in (
            ("club_evenings", evenings), ("hosting_turns", turns), ("titles", titles), ("copies", copies), ("loans", loans),
        ):
            if rows:
                given[table] = rows
        yield {"p": {"day": day.isoformat()}, "given": given}


def solve(tools, p):
    day = datetime.date.fromisoformat(p["day"])
    first = (day - datetime.timedelta(days=60)).isoformat()
    turns = []
    for status in ("carried_out", "signed_up"):
        turns += tools.list_my_hosting_turns(status=status)["hosting_turns"]
    days = sorted(t["starts_at"][:10] for t in turns if first <= t["starts_at"][:10] < p["day"])
    allowed = 3 + len(days)
    out = len(tools.list_my_loans(status="out", first_due_day=p["day"])["loans"])
    more = allowed - out
    return {
        "outcome": "done",
        "answers": {"turns_that_count": days, "loans_allowed": allowed, "loans_still_out": out, "loans_more": more},
        "reason": None,
        "message": f"On {p['day']} your evenings of {', '.join(days)} count, so you may have {allowed} loans out;"
        f" {out} of the present ones will still be out, and you could borrow {more} more.",
    }


def goal_says_turns_that_count(world, p):
    """Says on which days the user hosts or hosted so that it counts."""
    return world.report.says("turns_that_count", [row["day"] for row in _counted(world, p)])


def goal_says_loans_allowed(world, p):
    """Says how many loans the user may have out on that day."""
    return world.report.says("loans_allowed", 3 + len(_counted(world, p)))


def goal_says_loans_still_out(world, p):
    """Says how many of the present loans are still out on that day."""
    return world.report.says("loans_still_out", _still_out(world, p))


def goal_says_loans_more(world, p):
    """Says how many more the user could borrow on that day."""
    return world.report.says("loans_more", 3 + len(_counted(world, p)) - _still_out(world, p))


def guard_changes_nothing(world, p):
    """Changed nothing at all."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world, p):
    """Reports that it is done, without a reason for declining."""
    return world.report.outcome in (None, "done") and world.report.reason is None

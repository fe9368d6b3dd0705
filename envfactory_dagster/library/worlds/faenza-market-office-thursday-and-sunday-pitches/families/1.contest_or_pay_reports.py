import datetime

KINDS = (
    ("late clearing", "Late clearing", 1, 3000, "Pitch cleared at 14.40."),
    ("a front longer than the pitch", "Front longer", 2, 4000, "Front half a metre longer than the pitch."),
    ("a cable, awning or van in the wrong place", "Cable, awning or van", 3, 8000, "Awning less than 2.20 m above the ground at the lowest edge."),
    ("waste left behind", "Waste left", 4, 10000, "Boxes left on the pitch after clearing."),
)
STATEMENTS = (
    ("late clearing", "The sweepers' lorry stood across the end of the street and nobody could drive out."),
    ("late clearing", "I was waiting for the breakdown service and had told the warden at 13.50."),
    ("late clearing", "A wedding party was blocking the way out and the Polizia Locale itself made us wait."),
    ("a front longer than the pitch", "The chalk line had been washed off by the rain and the counter is as long as it always was."),
    ("a front longer than the pitch", "The neighbour had set up over the line and I was measured from the wrong end."),
    ("a front longer than the pitch", "What stood out was a rack of the stall next to mine and not my own counter."),
    ("a cable, awning or van in the wrong place", "The column at my pitch was dead and the electrician had told me what to do."),
    ("a cable, awning or van in the wrong place", "An ambulance was standing in front of me and I could not do otherwise."),
    ("a cable, awning or van in the wrong place", "The wind had bent an arm of the awning a few minutes before."),
    ("waste left behind", "The boxes came from the bar at no. 14, which puts them out when we have gone."),
    ("waste left behind", "My waste was in the container; what lay there belonged to the stall next to mine."),
    ("waste left behind", "The container had been taken away before I had finished clearing."),
)


def _days(world):
    """Market days of this spring on which the user stood somewhere, and where."""
    return world.query(
        "SELECT m.id AS id, m.held_on AS held_on, x.pitch_id AS pitch_id FROM market_days m JOIN ("
        " SELECT p.market_day_id AS day_id, c.pitch_id AS pitch_id FROM presences p JOIN concessions c ON c.id = p.concession_id WHERE c.trader_id = 1 AND p.status = 'present'"
        " UNION ALL SELECT a.market_day_id, a.pitch_id FROM spunta_assignments a JOIN spunta_register_entries e ON e.id = a.spunta_register_entry_id"
        " WHERE e.trader_id = 1 AND a.status = 'accepted') x ON x.day_id = m.id WHERE m.held_on < ? AND m.held_on >= '2026-01-01' ORDER BY m.held_on, x.pitch_id",
        [world.clock[:10]],
    )


def instances(world, rng):
    """Two to four reports of one sort, of which some can still be contested and some only be paid."""
    today = datetime.date.fromisoformat(world.clock[:10])
    days = _days(world)
    last_id = world.one("SELECT max(id) AS n FROM breach_reports")["n"]
    old = world.query(
        "SELECT r.breach_kind_id AS kind_id, r.status AS status, r.served_on AS served_on, m.held_on AS held_on FROM breach_reports r"
        " JOIN market_days m ON m.id = r.market_day_id WHERE r.trader_id = 1 ORDER BY r.id"
    )
    for _ in range(600):
        phrase, statement = rng.choice(STATEMENTS)
        _, _, kind_id, cents, facts = next(k for k in KINDS if k[0] == phrase)
        taken = {r["held_on"] for r in old}
        pool = [d for d in days if d["held_on"] not in taken]
        chosen = sorted(rng.sample(pool, min(len(pool), rng.choice((2, 3, 3)))), key=lambda d: d["held_on"])
        reports, ages = [], []
        earlier = [r["held_on"] for r in old if r["kind_id"] == kind_id and r["status"] != "dismissed"]
        for n, day in enumerate(chosen):
            held = datetime.date.fromisoformat(day["held_on"])
            served = held + datetime.timedelta(days=rng.randint(2, 9))
            if served > today:
                break
            before = any(e < day["held_on"] and (held - datetime.date.fromisoformat(e)).days <= 365 for e in earlier)
            earlier.append(day["held_on"])
            reports.append({
                "id": last_id + 1 + n, "code": f"PL-{20000 + rng.randint(0, 9000) * 3 + n:05d}", "trader_id": 1, "breach_kind_id": kind_id,
                "market_day_id": day["id"], "pitch_id": day["pitch_id"], "facts": facts, "units": 1, "reduced_cents": cents * 2 if before else cents,
                "suspension_days": 0, "served_on": served.isoformat(), "status": "served",
            })
            ages.append((today - served).days)
        if len(reports) != len(chosen) or len({r["code"] for r in reports}) != len(reports):
            continue
        ages += [(today - datetime.date.fromisoformat(r["served_on"])).days for r in old if r["kind_id"] == kind_id and r["status"] == "served"]
        contested = sum(a <= 30 for a in ages)
        payable = sum(30 < a <= 60 for a in ages)
        if contested == 0 or payable == 0 or contested > 3 or len(ages) > 5:
            continue
        yield {"p": {"breach": phrase, "statement": statement, "kind_id": kind_id, "today": today.isoformat()}, "given": {"breach_reports": reports}}


def solve(tools, p):
    start = next(k[1] for k in KINDS if k[0] == p["breach"])
    contested, paid = [], 0
    for report in tools.list_breach_reports(status="served")["breach_reports"]:
        if not report["breach_name"].startswith(start):
            continue
        try:
            tools.send_written_defence(breach_report_id=report["id"], statement=p["statement"], asks_hearing=1)
            contested.append(report["held_on"])
            continue
        except tools.Error:
            pass
        try:
            paid += tools.pay_breach_report(breach_report_id=report["id"])["breach_report"]["paid_cents"]
        except tools.Error:
            pass
    return {
        "outcome": "done",
        "answers": {"contested_days": sorted(contested), "paid": paid},
        "reason": None,
        "message": f"A defence has gone off for {', '.join(sorted(contested))}; for the others {paid / 100:.2f} euro were paid where that was still possible.",
    }


def _sorted_out(world, p):
    """The user's unpaid reports of that sort: those to contest and those to pay."""
    today = datetime.date.fromisoformat(p["today"])
    contest, pay = [], []
    for row in world.initial.query(
        "SELECT r.id AS id, r.served_on AS served_on, r.reduced_cents AS cents, m.held_on AS held_on FROM breach_reports r JOIN market_days m ON m.id = r.market_day_id"
        " WHERE r.trader_id = 1 AND r.status = 'served' AND r.breach_kind_id = ? ORDER BY r.id",
        [p["kind_id"]],
    ):
        age = (today - datetime.date.fromisoformat(row["served_on"])).days
        if age <= 30:
            contest.append(row)
        elif age <= 60:
            pay.append(row)
    return contest, pay


def goal_defences_sent(world, p):
    """A defence with the dictated text, asking to be heard, has gone off against each that can be contested."""
    for row in _sorted_out(world, p)[0]:
        found = world.final.query("SELECT statement, asks_hearing, status FROM written_defences WHERE breach_report_id = ?", [row["id"]])
        if len(found) != 1 or found[0]["asks_hearing"] != 1 or found[0]["status"] != "received" or not world.same_text(found[0]["statement"], p["statement"]):
            return False
        if world.final.one("SELECT status FROM breach_reports WHERE id = ?", [row["id"]])["status"] != "defended":
            return False
    return True


def goal_others_paid(world, p):
    """The reports that can only be paid are paid at the reduced sum."""
    for row in _sorted_out(world, p)[1]:
        after = world.final.one("SELECT status, paid_on, paid_cents FROM breach_reports WHERE id = ?", [row["id"]])
        if after["status"] != "paid" or after["paid_cents"] != row["cents"]:
            return False
    return True


def goal_says_which_days_are_contested(world, p):
    """Says for which market days a defence has gone off."""
    return world.report.says("contested_days", sorted(r["held_on"] for r in _sorted_out(world, p)[0]))


def goal_says_what_was_paid(world, p):
    """Says what was paid."""
    return world.report.says("paid", sum(r["cents"] for r in _sorted_out(world, p)[1]))


def guard_touches_only_these_reports(world, p):
    """Changed nothing but the reports of that sort, and added one defence at most for each that can be contested."""
    contest, pay = _sorted_out(world, p)
    to_contest, to_pay = [r["id"] for r in contest], [r["id"] for r in pay]
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if change["table"] == "written_defences":
            if before is not None or after["breach_report_id"] not in to_contest or after["status"] != "received" or after["decided_on"] is not None:
                return False
        elif change["table"] == "breach_reports" and before is not None:
            changed = {c for c in before if before[c] != after[c]}
            if before["id"] in to_contest:
                if changed != {"status"} or after["status"] != "defended":
                    return False
            elif before["id"] in to_pay:
                if not changed <= {"status", "paid_on", "paid_cents"} or after["status"] != "paid":
                    return False
            else:
                return False
        else:
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

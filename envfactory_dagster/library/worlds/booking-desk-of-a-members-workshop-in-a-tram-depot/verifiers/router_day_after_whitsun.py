from datetime import date, timedelta

TODAY = "2026-05-06"


def _portions(db):
    """What is left of each portion of the user's credit that can still be used."""
    rows = db.query(
        "SELECT c.expires_on, SUM(c.amount_cents) AS cents FROM credit_entries c JOIN membership_members mm"
        " ON mm.membership_id = c.membership_id WHERE mm.member_id = 1 AND c.expires_on >= ?"
        " GROUP BY c.expires_on ORDER BY c.expires_on",
        [TODAY],
    )
    return [(row["expires_on"], row["cents"]) for row in rows if row["cents"] != 0]


def _total(db):
    return sum(cents for _, cents in _portions(db))


def _router(world):
    return world.initial.one("SELECT * FROM stations WHERE machine = ?", ["CNC router"])


def goal_says_the_last_day(world) -> bool:
    """Says on which day the last moment to book lies, two opening days before."""
    closed = {row["day"] for row in world.initial.query("SELECT day FROM closing_days ORDER BY day", [])}
    day, found = date(2026, 5, 26), 0
    while found < 2:
        day = day - timedelta(days=1)
        if day.weekday() != 0 and day.isoformat() not in closed:
            found += 1
    return world.report.says("last_day_to_book", day.isoformat())


def goal_says_the_last_hour(world) -> bool:
    """Says the hour of the last moment to book."""
    return world.report.says("last_hour_to_book", "18:00")


def goal_says_whether_the_induction_is_valid(world) -> bool:
    """Says whether the CNC induction is valid on 26 May."""
    row = world.initial.one(
        "SELECT COUNT(*) AS n FROM inductions WHERE member_id = 1 AND induction_type_id = ? AND passed_on <= ?"
        " AND valid_until >= ?",
        [_router(world)["induction_type_id"], "2026-05-26", "2026-05-26"],
    )
    return world.report.says("induction_valid", row["n"] > 0)


def goal_says_what_is_left_to_pay(world) -> bool:
    """Says how much of the price today's credit would leave to pay."""
    return world.report.says("left_to_pay", max(0, _router(world)["day_price_cents"] - _total(world.initial)))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return world.changes == []

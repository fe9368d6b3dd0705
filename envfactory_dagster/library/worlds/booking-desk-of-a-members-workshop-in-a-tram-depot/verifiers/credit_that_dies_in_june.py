TODAY = "2026-06-16"


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


def _bookings(world):
    """The user's bookings from now until the end of June, the dearest first."""
    return world.initial.query(
        "SELECT b.price_cents, s.machine, substr(b.starts_at, 1, 10) AS day FROM bookings b"
        " JOIN stations s ON s.id = b.station_id WHERE b.member_id = 1 AND b.status IN ('provisional', 'confirmed')"
        " AND b.starts_at >= ? AND substr(b.starts_at, 1, 10) <= ? ORDER BY b.price_cents DESC, b.id",
        ["2026-06-16T10:00:00", "2026-06-30"],
    )


def goal_says_the_credit_of_today(world) -> bool:
    """Says how much credit there is today."""
    return world.report.says("credit_today", _total(world.initial))


def goal_says_what_expires_on_30_june(world) -> bool:
    """Says which part of it expires on 30 June."""
    return world.report.says("credit_until_30_june", dict(_portions(world.initial)).get("2026-06-30", 0))


def goal_says_what_the_bookings_cost(world) -> bool:
    """Says what the bookings until the end of June have cost."""
    return world.report.says("bookings_cost", sum(row["price_cents"] for row in _bookings(world)))


def goal_says_the_dearest_machine(world) -> bool:
    """Says which machine the dearest of them is on."""
    return world.report.says("dearest_machine", _bookings(world)[0]["machine"])


def goal_says_the_dearest_day(world) -> bool:
    """Says on which day the dearest of them is."""
    return world.report.says("dearest_day", _bookings(world)[0]["day"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return world.changes == []

import datetime


def _days(world):
    """The Tuesdays whose hours 08:00 to 10:00 are free and in whose week the member has no well hours."""
    days = []
    day = datetime.date(2026, 7, 21)
    while day <= datetime.date(2026, 8, 25):
        taken = world.initial.one(
            "SELECT COUNT(*) AS n FROM well_bookings WHERE status <> 'cancelled' AND starts_at < ? AND ends_at > ?",
            [day.isoformat() + "T10:00:00", day.isoformat() + "T08:00:00"],
        )["n"]
        mine = world.initial.one(
            "SELECT COUNT(*) AS n FROM well_bookings WHERE member_id = 1 AND status <> 'cancelled' AND substr(starts_at, 1, 10) BETWEEN ? AND ?",
            [(day - datetime.timedelta(days=1)).isoformat(), (day + datetime.timedelta(days=5)).isoformat()],
        )["n"]
        if taken == 0 and mine == 0:
            days.append(day.isoformat())
        day += datetime.timedelta(days=7)
    return days


def _price(world):
    row = world.initial.one(
        "SELECT price_cents FROM prices WHERE section = 'Pozo San Roque' AND applies_from <= '2026-07-21' ORDER BY applies_from DESC LIMIT 1"
    )
    return 2 * row["price_cents"]


def goal_books_every_free_tuesday(world) -> bool:
    """Books 08:00 to 10:00 for plot 16 on every Tuesday that fits, paid by card."""
    days = _days(world)
    for day in days:
        rows = world.final.query(
            "SELECT w.id FROM well_bookings w JOIN plots p ON p.id = w.plot_id WHERE w.member_id = 1 AND w.status = 'booked'"
            " AND p.plot = 16 AND w.starts_at = ? AND w.ends_at = ? AND w.hours = 2 AND w.paid_by = 'card' AND w.price_cents = ?",
            [day + "T08:00:00", day + "T10:00:00", _price(world)],
        )
        if len(rows) != 1:
            return False
    return len(days) > 0


def goal_says_the_days(world) -> bool:
    """Says on which days the well is booked."""
    return world.report.says("days_booked", _days(world))


def goal_says_what_was_paid(world) -> bool:
    """Says what was paid in all."""
    return world.report.says("paid_in_all", len(_days(world)) * _price(world))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_adds_only_those_bookings(world) -> bool:
    """Changes nothing but new bookings of the member, one for each Tuesday that fits."""
    left = [day + "T08:00:00" for day in _days(world)]
    for change in world.changes:
        after = change["after"]
        if change["table"] != "well_bookings" or change["before"] is not None or after is None:
            return False
        if after["member_id"] != 1 or after["starts_at"] not in left or after["status"] != "booked":
            return False
        if after["hours"] != 2 or after["paid_by"] != "card" or after["kept_cents"] != after["price_cents"]:
            return False
        left.remove(after["starts_at"])
    return True

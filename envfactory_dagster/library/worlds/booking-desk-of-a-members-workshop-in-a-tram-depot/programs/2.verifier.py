def _hours(world):
    return world.initial.query(
        "SELECT s.id, s.code, s.hour_price_cents, COALESCE((SELECT"
        " SUM(CAST(round((julianday(b.ends_at) - julianday(b.starts_at)) * 1440) AS INTEGER)) FROM bookings b"
        " WHERE b.station_id = s.id AND b.status IN ('provisional', 'confirmed', 'used')"
        " AND substr(b.starts_at, 1, 10) BETWEEN '2026-06-20' AND '2026-06-28'), 0) / 60 AS hours"
        " FROM stations s WHERE s.code IN ('B1', 'B2', 'B3', 'B4') ORDER BY hours, s.id"
    )


def _wanted(world, row):
    least = _hours(world)[0]
    return (
        row["member_id"] == 1
        and row["station_id"] == least["id"]
        and row["kind"] == "hour"
        and row["starts_at"] == "2026-06-28T11:00:00"
        and row["ends_at"] == "2026-06-28T13:00:00"
        and row["price_cents"] == 2 * least["hour_price_cents"]
        and row["status"] == "confirmed"
        and row["cancelled_at"] is None
    )


def goal_says_most_bench(world) -> bool:
    """Says which bench is booked the most."""
    return world.report.says("most_bench", _hours(world)[-1]["code"])


def goal_says_most_hours(world) -> bool:
    """Says how many hours the most booked bench is booked."""
    return world.report.says("most_hours", _hours(world)[-1]["hours"])


def goal_says_least_bench(world) -> bool:
    """Says which bench is booked the least."""
    return world.report.says("least_bench", _hours(world)[0]["code"])


def goal_says_least_hours(world) -> bool:
    """Says how many hours the least booked bench is booked."""
    return world.report.says("least_hours", _hours(world)[0]["hours"])


def goal_books_the_least_booked_bench(world) -> bool:
    """Booked the bench that is booked the least for Sunday 28 June, 11:00 to 13:00."""
    new = [c["after"] for c in world.changes if c["table"] == "bookings" and c["before"] is None]
    return len(new) == 1 and _wanted(world, new[0])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_one_new_booking_only(world) -> bool:
    """Changed nothing but that one new booking, and used no credit."""
    return len(world.changes) <= 1 and all(
        c["table"] == "bookings" and c["before"] is None and c["after"] is not None and _wanted(world, c["after"])
        for c in world.changes
    )

def _haircuts(world):
    """The user's open haircuts that are as asked: on 6 October 2026, wholly between 8:30 and 12:00, at most 28 euros,
    at a free time within an active half-day of the barber."""
    return world.final.query(
        "SELECT a.id, a.status, b.name AS barber FROM appointments a"
        " JOIN services s ON s.id = a.service_id"
        " JOIN barbers b ON b.id = s.barber_id"
        " JOIN chair_rentals r ON r.id = a.chair_rental_id AND r.barber_id = s.barber_id"
        " WHERE a.customer_id = 1 AND s.name = ? AND a.status IN ('booked', 'confirmed')"
        " AND a.price_cents = s.price_cents AND a.price_cents <= 2800"
        " AND r.status = 'active' AND a.starts_at >= r.starts_at AND a.ends_at <= r.ends_at"
        " AND a.starts_at >= '2026-10-06T08:30:00' AND a.ends_at <= '2026-10-06T12:00:00'"
        " AND a.ends_at = strftime('%Y-%m-%dT%H:%M:%S', a.starts_at, '+' || s.duration_minutes || ' minutes')"
        " AND NOT EXISTS (SELECT 1 FROM appointments o WHERE o.chair_rental_id = a.chair_rental_id AND o.id <> a.id"
        " AND o.status IN ('booked', 'confirmed') AND o.starts_at < a.ends_at AND a.starts_at < o.ends_at)",
        ["Haircut"],
    )


def goal_has_a_haircut_tomorrow_morning(world) -> bool:
    """Has one haircut on Tuesday 6 October between 8:30 and 12:00 for at most 28 euros, with any barber."""
    return len(_haircuts(world)) == 1


def goal_the_haircut_is_confirmed(world) -> bool:
    """That haircut is confirmed."""
    return [row["status"] for row in _haircuts(world)] == ["confirmed"]


def goal_says_the_barber(world) -> bool:
    """Has told with whom the haircut is booked."""
    rows = _haircuts(world)
    return len(rows) == 1 and world.report.says("barber", rows[0]["barber"])


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but one new appointment of the user."""
    return len(world.changes) <= 1 and all(
        change["table"] == "appointments"
        and change["before"] is None
        and change["after"] is not None
        and change["after"]["customer_id"] == 1
        for change in world.changes
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule in the way."""
    return world.report.outcome in (None, "done") and world.report.reason is None

from datetime import datetime, timedelta


def _own(world):
    """The user's appointment that the task is about, as it was at the start."""
    return world.initial.one(
        "SELECT a.*, r.barber_id, s.duration_minutes FROM appointments a"
        " JOIN chair_rentals r ON r.id = a.chair_rental_id"
        " JOIN barbers b ON b.id = r.barber_id"
        " JOIN services s ON s.id = a.service_id"
        " WHERE a.customer_id = 1 AND b.name = ? AND s.name = ? AND a.starts_at = ?"
        " AND a.status IN ('booked', 'confirmed')",
        ["Ned Calloway", "Beard trim", "2026-10-05T11:30:00"],
    )


def _shave(world):
    """Ned Calloway's hot towel shave, which fits before his next appointment and the end of his half-day."""
    return world.initial.one(
        "SELECT id, duration_minutes, price_cents FROM services WHERE barber_id = ? AND name = ?",
        [_own(world)["barber_id"], "Hot towel shave"],
    )


def goal_is_a_hot_towel_shave(world) -> bool:
    """The appointment is for Ned Calloway's hot towel shave, with its length and price, at the same start."""
    own, shave = _own(world), _shave(world)
    end = (datetime.fromisoformat(own["starts_at"]) + timedelta(minutes=shave["duration_minutes"])).isoformat()
    row = world.final.one(
        "SELECT count(*) AS n FROM appointments WHERE id = ? AND customer_id = 1 AND service_id = ?"
        " AND starts_at = ? AND ends_at = ? AND price_cents = ? AND status = ?",
        [own["id"], shave["id"], own["starts_at"], end, shave["price_cents"], own["status"]],
    )
    return row["n"] == 1


def goal_says_the_difference(world) -> bool:
    """Has told how much more the customer will pay than for the beard trim."""
    return world.report.says("price_difference", _shave(world)["price_cents"] - _own(world)["price_cents"])


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but this appointment, and nothing of it but its service with length and price."""
    allowed = ("service_id", "ends_at", "price_cents")
    own = _own(world)
    return all(
        change["table"] == "appointments"
        and change["key"] == [own["id"]]
        and change["before"] is not None
        and change["after"] is not None
        and all(change["after"][c] == value for c, value in change["before"].items() if c not in allowed)
        for change in world.changes
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule in the way."""
    return world.report.outcome in (None, "done") and world.report.reason is None

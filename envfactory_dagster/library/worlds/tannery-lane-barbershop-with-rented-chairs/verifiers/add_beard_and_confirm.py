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
        ["Rosa Hale", "Haircut", "2026-04-16T10:00:00"],
    )


def _wanted(world):
    """Rosa Hale's haircut with beard trim, which costs at most 40 euros and fits before her next customer."""
    return world.initial.one(
        "SELECT id, duration_minutes, price_cents FROM services WHERE barber_id = ? AND name = ?",
        [_own(world)["barber_id"], "Haircut with beard trim"],
    )


def goal_is_a_haircut_with_beard_trim(world) -> bool:
    """The appointment is for Rosa Hale's haircut with beard trim, with its length and price, at the same start."""
    own, wanted = _own(world), _wanted(world)
    end = (datetime.fromisoformat(own["starts_at"]) + timedelta(minutes=wanted["duration_minutes"])).isoformat()
    row = world.final.one(
        "SELECT count(*) AS n FROM appointments WHERE id = ? AND customer_id = 1 AND service_id = ?"
        " AND starts_at = ? AND ends_at = ? AND price_cents = ? AND status IN ('booked', 'confirmed')",
        [own["id"], wanted["id"], own["starts_at"], end, wanted["price_cents"]],
    )
    return row["n"] == 1


def goal_is_confirmed(world) -> bool:
    """The appointment is confirmed."""
    row = world.final.one("SELECT status FROM appointments WHERE id = ?", [_own(world)["id"]])
    return row is not None and row["status"] == "confirmed"


def goal_says_the_price(world) -> bool:
    """Has told what the customer will pay."""
    return world.report.says("price_to_pay", _wanted(world)["price_cents"])


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but this appointment, and nothing of it but its service and its confirmation."""
    allowed = ("service_id", "ends_at", "price_cents", "status", "confirmed_at")
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

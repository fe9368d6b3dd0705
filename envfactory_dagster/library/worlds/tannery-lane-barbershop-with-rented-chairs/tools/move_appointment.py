from datetime import datetime, timedelta

MOVE_APPOINTMENT_NOTICE_HOURS = 4


def _move_appointment_end(starts_at: str, minutes: int):
    """Says when an appointment of so many minutes ends; None when its start is no proper moment."""
    try:
        start = datetime.strptime(starts_at, "%Y-%m-%dT%H:%M:%S")
        end = start + timedelta(minutes=minutes)
    except (ValueError, OverflowError):
        return None
    return end.isoformat() if start.isoformat() == starts_at else None


def move_appointment(env, *, appointment_id: int, starts_at: str) -> dict:
    """Moves the user's own booked or confirmed appointment to another time with the same barber."""
    appointment = env.one(
        "SELECT a.id, a.status, a.starts_at, r.barber_id, b.name AS barber_name, s.duration_minutes"
        " FROM appointments a"
        " JOIN services s ON s.id = a.service_id"
        " JOIN chair_rentals r ON r.id = a.chair_rental_id"
        " JOIN barbers b ON b.id = r.barber_id"
        " WHERE a.id = :id AND a.customer_id = :user_id",
        {"id": appointment_id, "user_id": env.user_id},
    )
    if appointment is None:
        raise env.Error(f"you have no appointment {appointment_id}")
    if appointment["status"] not in ("booked", "confirmed"):
        raise env.Error(
            f"appointment {appointment_id} is {appointment['status']}; only a booked or confirmed one can be moved"
        )
    deadline = (datetime.fromisoformat(appointment["starts_at"]) - timedelta(hours=MOVE_APPOINTMENT_NOTICE_HOURS)).isoformat()
    if env.now > deadline:
        raise env.Error(
            f"appointment {appointment_id} can be moved only until {MOVE_APPOINTMENT_NOTICE_HOURS} hours"
            f" before its start, that is until {deadline}"
        )
    ends_at = _move_appointment_end(starts_at, appointment["duration_minutes"])
    if ends_at is None or starts_at < env.now:
        raise env.Error(
            f"nothing can be moved to {starts_at}: give a time that has not passed, written like 2026-03-02T09:00:00"
        )
    rental = env.one(
        "SELECT id FROM chair_rentals"
        " WHERE barber_id = :barber_id AND status = 'active'"
        " AND starts_at <= :starts_at AND ends_at >= :ends_at"
        " ORDER BY starts_at, id LIMIT 1",
        {"barber_id": appointment["barber_id"], "starts_at": starts_at, "ends_at": ends_at},
    )
    if rental is None:
        raise env.Error(
            f"{appointment['barber_name']} does not work for the whole time from {starts_at} to {ends_at}"
        )
    other = env.one(
        "SELECT a.starts_at, a.ends_at FROM appointments a"
        " JOIN chair_rentals r ON r.id = a.chair_rental_id"
        " WHERE r.barber_id = :barber_id AND a.id <> :id AND a.status IN ('booked', 'confirmed')"
        " AND a.starts_at < :ends_at AND a.ends_at > :starts_at"
        " ORDER BY a.starts_at, a.id LIMIT 1",
        {
            "barber_id": appointment["barber_id"],
            "id": appointment_id,
            "starts_at": starts_at,
            "ends_at": ends_at,
        },
    )
    if other is not None:
        raise env.Error(
            f"{appointment['barber_name']} is taken from {other['starts_at']} to {other['ends_at']}"
        )
    env.execute(
        "UPDATE appointments SET chair_rental_id = :chair_rental_id, starts_at = :starts_at, ends_at = :ends_at"
        " WHERE id = :id AND customer_id = :user_id",
        {
            "chair_rental_id": rental["id"],
            "starts_at": starts_at,
            "ends_at": ends_at,
            "id": appointment_id,
            "user_id": env.user_id,
        },
    )
    shown = env.one(
        "SELECT a.id, r.barber_id, b.name AS barber_name, a.service_id, s.name AS service_name,"
        " a.chair_rental_id, a.starts_at, a.ends_at, a.price_cents, a.status, a.booked_at,"
        " a.confirmed_at, a.cancelled_at"
        " FROM appointments a"
        " JOIN services s ON s.id = a.service_id"
        " JOIN chair_rentals r ON r.id = a.chair_rental_id"
        " JOIN barbers b ON b.id = r.barber_id"
        " WHERE a.id = :id AND a.customer_id = :user_id",
        {"id": appointment_id, "user_id": env.user_id},
    )
    return {"appointment": shown}

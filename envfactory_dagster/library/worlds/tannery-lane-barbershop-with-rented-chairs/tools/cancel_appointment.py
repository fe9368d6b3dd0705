from datetime import datetime, timedelta

CANCEL_APPOINTMENT_NOTICE_HOURS = 4


def cancel_appointment(env, *, appointment_id: int) -> dict:
    """Cancels the user's own booked or confirmed appointment for good."""
    appointment = env.one(
        "SELECT id, status, starts_at FROM appointments WHERE id = :id AND customer_id = :user_id",
        {"id": appointment_id, "user_id": env.user_id},
    )
    if appointment is None:
        raise env.Error(f"you have no appointment {appointment_id}")
    if appointment["status"] not in ("booked", "confirmed"):
        raise env.Error(
            f"appointment {appointment_id} is {appointment['status']}; only a booked or confirmed one can be cancelled"
        )
    deadline = (datetime.fromisoformat(appointment["starts_at"]) - timedelta(hours=CANCEL_APPOINTMENT_NOTICE_HOURS)).isoformat()
    if env.now > deadline:
        raise env.Error(
            f"appointment {appointment_id} can be cancelled only until {CANCEL_APPOINTMENT_NOTICE_HOURS} hours"
            f" before its start, that is until {deadline}"
        )
    env.execute(
        "UPDATE appointments SET status = 'cancelled', cancelled_at = :now"
        " WHERE id = :id AND customer_id = :user_id",
        {"now": env.now, "id": appointment_id, "user_id": env.user_id},
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

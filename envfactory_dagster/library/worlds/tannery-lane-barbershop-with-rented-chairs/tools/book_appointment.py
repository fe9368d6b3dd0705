from datetime import datetime, timedelta

BOOK_APPOINTMENT_MOST_OPEN = 2
BOOK_APPOINTMENT_MISSED_LIMIT = 2
BOOK_APPOINTMENT_MISSED_DAYS = 90
BOOK_APPOINTMENT_DAYS_AHEAD = 1


def _book_appointment_end(starts_at: str, minutes: int):
    """Says when an appointment of so many minutes ends; None when its start is no proper moment."""
    try:
        start = datetime.strptime(starts_at, "%Y-%m-%dT%H:%M:%S")
        end = start + timedelta(minutes=minutes)
    except (ValueError, OverflowError):
        return None
    return end.isoformat() if start.isoformat() == starts_at else None


def book_appointment(env, *, service_id: int, starts_at: str) -> dict:
    """Books an appointment for the user with the barber of the service, still to be confirmed."""
    service = env.one(
        "SELECT s.id, s.barber_id, s.name, s.duration_minutes, s.price_cents, b.name AS barber_name"
        " FROM services s JOIN barbers b ON b.id = s.barber_id WHERE s.id = :id",
        {"id": service_id},
    )
    if service is None:
        raise env.Error(f"there is no service {service_id}")
    ends_at = _book_appointment_end(starts_at, service["duration_minutes"])
    if ends_at is None or starts_at < env.now:
        raise env.Error(
            f"{starts_at} cannot be booked: give a time that has not passed, written like 2026-03-02T09:00:00"
        )
    rental = env.one(
        "SELECT id FROM chair_rentals"
        " WHERE barber_id = :barber_id AND status = 'active'"
        " AND starts_at <= :starts_at AND ends_at >= :ends_at"
        " ORDER BY starts_at, id LIMIT 1",
        {"barber_id": service["barber_id"], "starts_at": starts_at, "ends_at": ends_at},
    )
    if rental is None:
        raise env.Error(
            f"{service['barber_name']} does not work for the whole time from {starts_at} to {ends_at}"
        )
    other = env.one(
        "SELECT a.starts_at, a.ends_at FROM appointments a"
        " JOIN chair_rentals r ON r.id = a.chair_rental_id"
        " WHERE r.barber_id = :barber_id AND a.status IN ('booked', 'confirmed')"
        " AND a.starts_at < :ends_at AND a.ends_at > :starts_at"
        " ORDER BY a.starts_at, a.id LIMIT 1",
        {"barber_id": service["barber_id"], "starts_at": starts_at, "ends_at": ends_at},
    )
    if other is not None:
        raise env.Error(
            f"{service['barber_name']} is taken from {other['starts_at']} to {other['ends_at']}"
        )
    open_ones = env.one(
        "SELECT COUNT(*) AS n FROM appointments"
        " WHERE customer_id = :user_id AND status IN ('booked', 'confirmed') AND starts_at > :now",
        {"user_id": env.user_id, "now": env.now},
    )
    if open_ones["n"] >= BOOK_APPOINTMENT_MOST_OPEN:
        raise env.Error(
            f"you already have {open_ones['n']} appointments to come; at most"
            f" {BOOK_APPOINTMENT_MOST_OPEN} are allowed at a time"
        )
    now = datetime.fromisoformat(env.now)
    last_day = (now + timedelta(days=BOOK_APPOINTMENT_DAYS_AHEAD)).isoformat()[:10]
    if starts_at[:10] > last_day:
        missed = env.one(
            "SELECT COUNT(*) AS n FROM appointments"
            " WHERE customer_id = :user_id AND status = 'missed' AND starts_at >= :since",
            {
                "user_id": env.user_id,
                "since": (now - timedelta(days=BOOK_APPOINTMENT_MISSED_DAYS)).isoformat(),
            },
        )
        if missed["n"] >= BOOK_APPOINTMENT_MISSED_LIMIT:
            raise env.Error(
                f"you have missed {missed['n']} appointments in the past {BOOK_APPOINTMENT_MISSED_DAYS}"
                f" days, so you can book for today and tomorrow only, until {last_day}"
            )
    appointment_id = env.insert(
        "INSERT INTO appointments (customer_id, service_id, chair_rental_id, starts_at, ends_at,"
        " price_cents, status, booked_at)"
        " VALUES (:user_id, :service_id, :chair_rental_id, :starts_at, :ends_at,"
        " :price_cents, 'booked', :now)",
        {
            "user_id": env.user_id,
            "service_id": service_id,
            "chair_rental_id": rental["id"],
            "starts_at": starts_at,
            "ends_at": ends_at,
            "price_cents": service["price_cents"],
            "now": env.now,
        },
    )
    appointment = env.one(
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
    return {"appointment": appointment}

from datetime import datetime, timedelta


def _get_appointment_row(env, appointment_id):
    return env.one("""
        SELECT a.id, a.code, a.patient_id, p.name AS patient_name, a.vet_id, v.name AS vet_name, a.service_id, s.name AS service_name,
               a.estimate_id, a.follows_appointment_id, a.head_count, a.starts_at, a.ends_at, a.price_cents, a.travel_cents,
               a.shares_travel, a.deposit_cents, a.deposit_status, a.status, a.booked_at, a.cancelled_at
        FROM appointments a
        JOIN patients p ON p.id = a.patient_id
        JOIN vets v ON v.id = a.vet_id
        JOIN services s ON s.id = a.service_id
        WHERE a.id = ? AND a.client_id = ?""", [appointment_id, env.user_id])


def _book_appointment_moment(env, text):
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise env.Error("Give the start as a local time such as 2026-03-02T09:00:00.")
    if moment.tzinfo is not None:
        raise env.Error("Give the start as a local time without a time zone, such as 2026-03-02T09:00:00.")
    return moment.replace(microsecond=0)


def _book_appointment_fit(env, vet_id, patient_id, is_emergency, starts_at, ends_at, own_id):
    if starts_at <= env.now:
        raise env.Error("That time has passed.")
    shift = env.one("""
        SELECT id FROM roster_shifts
        WHERE vet_id = :vet AND starts_at <= :start AND ends_at >= :end AND (kind = 'day' OR :emergency = 1)
        ORDER BY id LIMIT 1""", {"vet": vet_id, "start": starts_at, "end": ends_at, "emergency": is_emergency})
    if shift is None:
        raise env.Error(f"The visit would take from {starts_at} to {ends_at}, and the vet has no fitting shift that covers it.")
    taken = env.one("""
        SELECT id FROM appointments
        WHERE status <> 'cancelled' AND id <> :own AND vet_id = :vet AND starts_at < :end AND ends_at > :start
        ORDER BY id LIMIT 1""", {"own": own_id, "vet": vet_id, "start": starts_at, "end": ends_at})
    if taken is not None:
        raise env.Error(f"The vet has another appointment between {starts_at} and {ends_at}.")
    clash = env.one("""
        SELECT id FROM appointments
        WHERE status <> 'cancelled' AND id <> :own AND patient_id = :patient AND starts_at < :end AND ends_at > :start
        ORDER BY id LIMIT 1""", {"own": own_id, "patient": patient_id, "start": starts_at, "end": ends_at})
    if clash is not None:
        raise env.Error(f"The patient has another appointment between {starts_at} and {ends_at}.")


def reschedule_appointment(env, *, appointment_id: int, starts_at: str) -> dict:
    """Move a booked appointment to another time with the same vet."""
    appointment = _get_appointment_row(env, appointment_id)
    if appointment is None:
        raise env.Error(f"You have no appointment {appointment_id}.")
    if appointment["status"] != "booked":
        raise env.Error(f"Appointment {appointment['code']} is {appointment['status']} and cannot be moved.")
    old_start = datetime.fromisoformat(appointment["starts_at"])
    if old_start - datetime.fromisoformat(env.now) < timedelta(hours=48):
        raise env.Error(f"Appointment {appointment['code']} starts in less than 48 hours and cannot be moved any more.")
    if appointment["follows_appointment_id"] is not None or env.one(
            "SELECT id FROM appointments WHERE follows_appointment_id = ? AND status <> 'cancelled' ORDER BY id LIMIT 1", [appointment_id]) is not None:
        raise env.Error(f"Appointment {appointment['code']} shares travel with another call and cannot be moved.")
    start = _book_appointment_moment(env, starts_at)
    end = start + (datetime.fromisoformat(appointment["ends_at"]) - old_start)
    service = env.one("SELECT id, is_emergency FROM services WHERE id = ?", [appointment["service_id"]])
    _book_appointment_fit(env, appointment["vet_id"], appointment["patient_id"], service["is_emergency"], start.isoformat(), end.isoformat(), appointment_id)
    env.execute("UPDATE appointments SET starts_at = :start, ends_at = :end WHERE id = :id AND client_id = :client",
                {"start": start.isoformat(), "end": end.isoformat(), "id": appointment_id, "client": env.user_id})
    return {"appointment": _get_appointment_row(env, appointment_id)}

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


def cancel_appointment(env, *, appointment_id: int) -> dict:
    """Cancel a booked appointment that has not started."""
    appointment = _get_appointment_row(env, appointment_id)
    if appointment is None:
        raise env.Error(f"You have no appointment {appointment_id}.")
    if appointment["status"] != "booked":
        raise env.Error(f"Appointment {appointment['code']} is {appointment['status']} and cannot be cancelled.")
    if appointment["starts_at"] <= env.now:
        raise env.Error(f"Appointment {appointment['code']} has started and cannot be cancelled.")
    env.execute("UPDATE appointments SET status = 'cancelled', cancelled_at = :now WHERE id = :id AND client_id = :client",
                {"now": env.now, "id": appointment_id, "client": env.user_id})
    return {"appointment": _get_appointment_row(env, appointment_id)}

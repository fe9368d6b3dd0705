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


def get_appointment(env, *, appointment_id: int) -> dict:
    """Show one of the client's appointments with its deposit payments."""
    appointment = _get_appointment_row(env, appointment_id)
    if appointment is None:
        raise env.Error(f"You have no appointment {appointment_id}.")
    payments = env.query("""
        SELECT id, invoice_id, appointment_id, medicine_order_id, kind, amount_cents, paid_at FROM payments
        WHERE appointment_id = ? AND client_id = ? ORDER BY paid_at, id""", [appointment_id, env.user_id])
    return {"appointment": appointment, "payments": payments}

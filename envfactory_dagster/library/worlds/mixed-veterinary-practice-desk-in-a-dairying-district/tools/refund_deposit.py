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


def _list_payments_row(env, payment_id):
    return env.one("""
        SELECT id, invoice_id, appointment_id, medicine_order_id, kind, amount_cents, paid_at
        FROM payments WHERE id = ? AND client_id = ?""", [payment_id, env.user_id])


def refund_deposit(env, *, appointment_id: int) -> dict:
    """Pay back the held deposit of an appointment cancelled in time."""
    appointment = _get_appointment_row(env, appointment_id)
    if appointment is None:
        raise env.Error(f"You have no appointment {appointment_id}.")
    if appointment["status"] != "cancelled":
        raise env.Error(f"Appointment {appointment['code']} is not cancelled.")
    if appointment["deposit_status"] != "held":
        raise env.Error(f"No deposit is held for appointment {appointment['code']}.")
    notice = datetime.fromisoformat(appointment["starts_at"]) - datetime.fromisoformat(appointment["cancelled_at"])
    if notice < timedelta(hours=48):
        raise env.Error(f"Appointment {appointment['code']} was cancelled less than 48 hours before its start, so the deposit is not refunded.")
    env.execute("UPDATE appointments SET deposit_status = 'refunded' WHERE id = ? AND client_id = ?", [appointment_id, env.user_id])
    payment = env.insert("INSERT INTO payments (client_id, invoice_id, appointment_id, medicine_order_id, kind, amount_cents, paid_at) VALUES (?, NULL, ?, NULL, 'deposit_refund', ?, ?)",
                         [env.user_id, appointment_id, appointment["deposit_cents"], env.now])
    return {"appointment": _get_appointment_row(env, appointment_id), "payment": _list_payments_row(env, payment)}

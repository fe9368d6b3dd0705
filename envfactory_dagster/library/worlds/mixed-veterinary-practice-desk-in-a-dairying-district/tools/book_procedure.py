from datetime import datetime, timedelta


def _get_account_overdue(env) -> int:
    row = env.one("""
        SELECT COALESCE(SUM(
            (SELECT COALESCE(SUM(l.amount_cents), 0) FROM invoice_lines l WHERE l.invoice_id = i.id)
          - (SELECT COALESCE(SUM(p.amount_cents), 0) FROM payments p WHERE p.invoice_id = i.id AND p.kind <> 'deposit_refund')
          - (SELECT COALESCE(SUM(k.amount_cents), 0) FROM plan_claims k WHERE k.invoice_id = i.id AND k.status = 'paid')
        ), 0) AS cents
        FROM invoices i
        WHERE i.client_id = :client AND i.practice = 'own' AND i.due_on < :today""",
        {"client": env.user_id, "today": env.now[:10]})
    return row["cents"]


def _search_patients_own(env, patient_id):
    patient = env.one("SELECT id, name, kind, species, head_count FROM patients WHERE id = ? AND client_id = ?", [patient_id, env.user_id])
    if patient is None:
        raise env.Error(f"You have no patient {patient_id} on record.")
    return patient


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


def book_procedure(env, *, estimate_id: int, starts_at: str) -> dict:
    """Book the procedure of an estimate the client has signed."""
    estimate = env.one("SELECT id, code, patient_id, vet_id, service_id, amount_cents, status FROM estimates WHERE id = ? AND client_id = ?", [estimate_id, env.user_id])
    if estimate is None:
        raise env.Error(f"You have no estimate {estimate_id}.")
    if estimate["status"] != "accepted":
        raise env.Error(f"You have not signed estimate {estimate['code']}; it must be accepted first.")
    if env.one("SELECT id FROM appointments WHERE estimate_id = ? AND status IN ('booked', 'completed') ORDER BY id LIMIT 1", [estimate_id]) is not None:
        raise env.Error(f"Estimate {estimate['code']} has a visit already.")
    service = env.one("SELECT id, place, base_minutes, minutes_per_head, deposit_cents, is_emergency FROM services WHERE id = ?", [estimate["service_id"]])
    patient = _search_patients_own(env, estimate["patient_id"])
    heads = patient["head_count"]
    start = _book_appointment_moment(env, starts_at)
    end = start + timedelta(minutes=service["base_minutes"] + service["minutes_per_head"] * heads)
    starts = start.isoformat()
    ends = end.isoformat()
    if not service["is_emergency"] and _get_account_overdue(env) > 50000:
        raise env.Error("More than $500 is overdue on the account: only emergency visits can be booked.")
    _book_appointment_fit(env, estimate["vet_id"], patient["id"], service["is_emergency"], starts, ends, 0)
    client = env.one("SELECT id, travel_cents FROM clients WHERE id = ?", [env.user_id])
    travel = client["travel_cents"] if service["place"] == "property" else 0
    deposit = service["deposit_cents"]
    new = env.insert("""
        INSERT INTO appointments (code, client_id, patient_id, vet_id, service_id, estimate_id, follows_appointment_id, head_count, starts_at, ends_at,
            price_cents, travel_cents, shares_travel, deposit_cents, deposit_status, status, booked_at, cancelled_at)
        VALUES (:code, :client, :patient, :vet, :service, :estimate, NULL, :heads, :start, :end, :price, :travel, 0, :deposit, :deposit_status, 'booked', :now, NULL)""",
        {"code": env.new_id("APT"), "client": env.user_id, "patient": patient["id"], "vet": estimate["vet_id"], "service": service["id"], "estimate": estimate_id,
         "heads": heads, "start": starts, "end": ends, "price": estimate["amount_cents"], "travel": travel, "deposit": deposit,
         "deposit_status": "held" if deposit else "none", "now": env.now})
    if deposit:
        env.insert("INSERT INTO payments (client_id, invoice_id, appointment_id, medicine_order_id, kind, amount_cents, paid_at) VALUES (?, NULL, ?, NULL, 'deposit', ?, ?)",
                   [env.user_id, new, deposit, env.now])
    return {"appointment": _get_appointment_row(env, new)}

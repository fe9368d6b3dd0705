def _search_estimates_row(env, estimate_id):
    return env.one("""
        SELECT e.id, e.code, e.patient_id, p.name AS patient_name, e.vet_id, v.name AS vet_name, e.service_id, s.name AS service_name,
               e.amount_cents, e.status, e.sent_at, e.valid_until, e.accepted_at
        FROM estimates e
        JOIN patients p ON p.id = e.patient_id
        JOIN vets v ON v.id = e.vet_id
        JOIN services s ON s.id = e.service_id
        WHERE e.id = ? AND e.client_id = ?""", [estimate_id, env.user_id])


def decline_estimate(env, *, estimate_id: int) -> dict:
    """Decline an estimate."""
    estimate = _search_estimates_row(env, estimate_id)
    if estimate is None:
        raise env.Error(f"You have no estimate {estimate_id}.")
    if estimate["status"] != "sent":
        raise env.Error(f"Estimate {estimate['code']} is {estimate['status']} already.")
    env.execute("UPDATE estimates SET status = 'declined' WHERE id = ? AND client_id = ?", [estimate_id, env.user_id])
    return {"estimate": _search_estimates_row(env, estimate_id)}

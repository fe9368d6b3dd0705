def _search_patients_own(env, patient_id):
    patient = env.one("SELECT id, name, kind, species, head_count FROM patients WHERE id = ? AND client_id = ?", [patient_id, env.user_id])
    if patient is None:
        raise env.Error(f"You have no patient {patient_id} on record.")
    return patient


def search_estimates(env, *, patient_id: int = None, status: str = None) -> dict:
    """List the estimates sent to the client."""
    if patient_id is not None:
        _search_patients_own(env, patient_id)
    return {"estimates": env.query("""
        SELECT e.id, e.code, e.patient_id, p.name AS patient_name, e.vet_id, v.name AS vet_name, e.service_id, s.name AS service_name,
               e.amount_cents, e.status, e.sent_at, e.valid_until, e.accepted_at
        FROM estimates e
        JOIN patients p ON p.id = e.patient_id
        JOIN vets v ON v.id = e.vet_id
        JOIN services s ON s.id = e.service_id
        WHERE e.client_id = :user AND (:patient IS NULL OR e.patient_id = :patient) AND (:status IS NULL OR e.status = :status)
        ORDER BY e.sent_at DESC, e.id DESC""", {"user": env.user_id, "patient": patient_id, "status": status})}

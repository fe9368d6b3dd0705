def list_records_releases(env, *, patient_id: int = None) -> dict:
    """List the releases of records that the client asked for."""
    if patient_id is not None and env.one("SELECT id FROM patients WHERE id = ?", [patient_id]) is None:
        raise env.Error(f"There is no patient {patient_id}.")
    return {"records_releases": env.query("""
        SELECT r.id, r.code, r.patient_id, p.name AS patient_name, r.consent_id, r.recipient_name, r.recipient_email, r.scope, r.released_at
        FROM records_releases r JOIN patients p ON p.id = r.patient_id
        WHERE r.client_id = :user AND (:patient IS NULL OR r.patient_id = :patient)
        ORDER BY r.released_at DESC, r.id DESC""", {"user": env.user_id, "patient": patient_id})}

def list_release_consents(env, *, patient_id: int = None) -> dict:
    """List consents the client gave and those that name the client."""
    if patient_id is not None and env.one("SELECT id FROM patients WHERE id = ?", [patient_id]) is None:
        raise env.Error(f"There is no patient {patient_id}.")
    return {"release_consents": env.query("""
        SELECT r.id, r.patient_id, p.name AS patient_name, c.name AS owner_name, r.recipient_name, r.signed_on
        FROM release_consents r
        JOIN patients p ON p.id = r.patient_id
        JOIN clients c ON c.id = r.client_id
        WHERE (r.client_id = :user OR r.recipient_name = (SELECT u.name FROM clients u WHERE u.id = :user))
          AND (:patient IS NULL OR r.patient_id = :patient)
        ORDER BY r.signed_on DESC, r.id DESC""", {"user": env.user_id, "patient": patient_id})}

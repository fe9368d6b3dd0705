def _search_patients_own(env, patient_id):
    patient = env.one("SELECT id, name, kind, species, head_count FROM patients WHERE id = ? AND client_id = ?", [patient_id, env.user_id])
    if patient is None:
        raise env.Error(f"You have no patient {patient_id} on record.")
    return patient


def sign_release_consent(env, *, patient_id: int, recipient_name: str) -> dict:
    """The client signs a consent that records go to a named recipient."""
    _search_patients_own(env, patient_id)
    today = env.now[:10]
    if env.one("SELECT id FROM release_consents WHERE patient_id = ? AND recipient_name = ? AND signed_on = ?", [patient_id, recipient_name, today]) is not None:
        raise env.Error(f"A consent for {recipient_name} is signed today already.")
    new = env.insert("INSERT INTO release_consents (client_id, patient_id, recipient_name, signed_on) VALUES (?, ?, ?, ?)",
                     [env.user_id, patient_id, recipient_name, today])
    return {"release_consent": env.one("""
        SELECT r.id, r.patient_id, p.name AS patient_name, c.name AS owner_name, r.recipient_name, r.signed_on
        FROM release_consents r JOIN patients p ON p.id = r.patient_id JOIN clients c ON c.id = r.client_id
        WHERE r.id = ? AND r.client_id = ?""", [new, env.user_id])}

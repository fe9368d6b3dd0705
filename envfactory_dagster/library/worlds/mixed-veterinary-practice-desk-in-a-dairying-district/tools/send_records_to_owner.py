def _search_patients_own(env, patient_id):
    patient = env.one("SELECT id, name, kind, species, head_count FROM patients WHERE id = ? AND client_id = ?", [patient_id, env.user_id])
    if patient is None:
        raise env.Error(f"You have no patient {patient_id} on record.")
    return patient


def _list_records_releases_row(env, records_release_id):
    return env.one("""
        SELECT r.id, r.code, r.patient_id, p.name AS patient_name, r.consent_id, r.recipient_name, r.recipient_email, r.scope, r.released_at
        FROM records_releases r JOIN patients p ON p.id = r.patient_id
        WHERE r.id = ? AND r.client_id = ?""", [records_release_id, env.user_id])


def send_records_to_owner(env, *, patient_id: int, scope: str) -> dict:
    """Send records of one of the client's patients to the client."""
    _search_patients_own(env, patient_id)
    client = env.one("SELECT id, name, email FROM clients WHERE id = ?", [env.user_id])
    new = env.insert("""
        INSERT INTO records_releases (code, client_id, patient_id, consent_id, recipient_name, recipient_email, scope, released_at)
        VALUES (?, ?, ?, NULL, ?, ?, ?, ?)""", [env.new_id("REL"), env.user_id, patient_id, client["name"], client["email"], scope, env.now])
    return {"records_release": _list_records_releases_row(env, new)}

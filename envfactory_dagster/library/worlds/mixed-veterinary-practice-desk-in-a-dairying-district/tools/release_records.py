from datetime import timedelta, date


def _list_records_releases_row(env, records_release_id):
    return env.one("""
        SELECT r.id, r.code, r.patient_id, p.name AS patient_name, r.consent_id, r.recipient_name, r.recipient_email, r.scope, r.released_at
        FROM records_releases r JOIN patients p ON p.id = r.patient_id
        WHERE r.id = ? AND r.client_id = ?""", [records_release_id, env.user_id])


def release_records(env, *, patient_id: int, recipient_name: str, recipient_email: str, scope: str) -> dict:
    """Send records of a patient to somebody other than its owner, on the owner's consent."""
    patient = env.one("""
        SELECT p.id, p.name, p.client_id, c.name AS owner_name FROM patients p JOIN clients c ON c.id = p.client_id
        WHERE p.id = ?""", [patient_id])
    if patient is None:
        raise env.Error(f"There is no patient {patient_id}.")
    client = env.one("SELECT id, name FROM clients WHERE id = ?", [env.user_id])
    if patient["client_id"] == env.user_id and recipient_name == patient["owner_name"]:
        raise env.Error("You are the owner on record: records go to you without a consent, as records sent to the owner.")
    if patient["client_id"] != env.user_id and recipient_name != client["name"]:
        raise env.Error("For a patient of another owner you can ask only for records to be sent to yourself.")
    first = (date.fromisoformat(env.now[:10]) - timedelta(days=30)).isoformat()
    consent = env.one("""
        SELECT id FROM release_consents
        WHERE patient_id = :patient AND client_id = :owner AND recipient_name = :recipient AND signed_on >= :first AND signed_on <= :today
        ORDER BY signed_on DESC, id DESC LIMIT 1""",
        {"patient": patient_id, "owner": patient["client_id"], "recipient": recipient_name, "first": first, "today": env.now[:10]})
    if consent is None:
        raise env.Error(f"There is no written consent of the owner of {patient['name']} that names {recipient_name} and is dated within the last 30 days.")
    new = env.insert("""
        INSERT INTO records_releases (code, client_id, patient_id, consent_id, recipient_name, recipient_email, scope, released_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
        [env.new_id("REL"), env.user_id, patient_id, consent["id"], recipient_name, recipient_email, scope, env.now])
    return {"records_release": _list_records_releases_row(env, new)}

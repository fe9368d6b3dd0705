def _search_patients_own(env, patient_id):
    patient = env.one("SELECT id, name, kind, species, head_count FROM patients WHERE id = ? AND client_id = ?", [patient_id, env.user_id])
    if patient is None:
        raise env.Error(f"You have no patient {patient_id} on record.")
    return patient


def list_treatments(env, *, patient_id: int) -> dict:
    """List the treatments of one of the client's patients."""
    _search_patients_own(env, patient_id)
    return {"treatments": env.query("""
        SELECT t.id, t.patient_id, t.product_id, d.name AS product_name, t.vet_id, v.name AS vet_name, t.authority_id, t.doses, t.route,
               t.first_given_at, t.last_given_at, t.off_label, t.off_label_reason
        FROM treatments t JOIN products d ON d.id = t.product_id JOIN vets v ON v.id = t.vet_id
        WHERE t.patient_id = ? ORDER BY t.last_given_at DESC, t.id DESC""", [patient_id])}

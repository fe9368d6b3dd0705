def _search_patients_own(env, patient_id):
    patient = env.one("SELECT id, name, kind, species, head_count FROM patients WHERE id = ? AND client_id = ?", [patient_id, env.user_id])
    if patient is None:
        raise env.Error(f"You have no patient {patient_id} on record.")
    return patient


def list_test_results(env, *, patient_id: int) -> dict:
    """List test results of one of the client's patients."""
    _search_patients_own(env, patient_id)
    return {"test_results": env.query("""
        SELECT id, patient_id, kind, sampled_on, reported_on, result FROM test_results
        WHERE patient_id = ? ORDER BY sampled_on DESC, id DESC""", [patient_id])}

def _search_patients_own(env, patient_id):
    patient = env.one("SELECT id, name, kind, species, head_count FROM patients WHERE id = ? AND client_id = ?", [patient_id, env.user_id])
    if patient is None:
        raise env.Error(f"You have no patient {patient_id} on record.")
    return patient


def list_clearance_statements(env, *, patient_id: int = None, produce: str = None, status: str = None) -> dict:
    """List the client's own clearance statements."""
    if patient_id is not None:
        _search_patients_own(env, patient_id)
    return {"clearance_statements": env.query("""
        SELECT c.id, c.code, c.patient_id, p.name AS patient_name, c.produce, c.supply_on, c.status, c.issued_at
        FROM clearance_statements c JOIN patients p ON p.id = c.patient_id
        WHERE c.client_id = :user AND (:patient IS NULL OR c.patient_id = :patient)
          AND (:produce IS NULL OR c.produce = :produce) AND (:status IS NULL OR c.status = :status)
        ORDER BY c.supply_on DESC, c.id DESC""", {"user": env.user_id, "patient": patient_id, "produce": produce, "status": status})}

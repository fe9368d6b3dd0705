def _search_patients_own(env, patient_id):
    patient = env.one("SELECT id, name, kind, species, head_count FROM patients WHERE id = ? AND client_id = ?", [patient_id, env.user_id])
    if patient is None:
        raise env.Error(f"You have no patient {patient_id} on record.")
    return patient


def search_medicine_authorities(env, *, patient_id: int = None, product_id: int = None, status: str = None) -> dict:
    """List the medicine authorities in the client's own name."""
    if patient_id is not None:
        _search_patients_own(env, patient_id)
    if product_id is not None and env.one("SELECT id FROM products WHERE id = ?", [product_id]) is None:
        raise env.Error(f"There is no product {product_id}.")
    return {"medicine_authorities": env.query("""
        SELECT m.id, m.code, m.patient_id, p.name AS patient_name, m.product_id, d.name AS product_name, m.vet_id, v.name AS vet_name,
               m.condition, m.consulted_on, m.issued_on, m.status
        FROM medicine_authorities m
        JOIN patients p ON p.id = m.patient_id
        JOIN products d ON d.id = m.product_id
        JOIN vets v ON v.id = m.vet_id
        WHERE m.client_id = :user AND (:patient IS NULL OR m.patient_id = :patient)
          AND (:product IS NULL OR m.product_id = :product) AND (:status IS NULL OR m.status = :status)
        ORDER BY m.consulted_on DESC, m.id DESC""", {"user": env.user_id, "patient": patient_id, "product": product_id, "status": status})}

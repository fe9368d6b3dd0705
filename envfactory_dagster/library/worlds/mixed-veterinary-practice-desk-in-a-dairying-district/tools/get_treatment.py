def get_treatment(env, *, treatment_id: int) -> dict:
    """Show one treatment with its withholding periods."""
    row = env.one("""
        SELECT t.id, t.patient_id, t.product_id, d.name AS product_name, t.vet_id, v.name AS vet_name, t.authority_id, t.doses, t.route,
               t.first_given_at, t.last_given_at, t.off_label, t.off_label_reason
        FROM treatments t JOIN products d ON d.id = t.product_id JOIN vets v ON v.id = t.vet_id JOIN patients p ON p.id = t.patient_id
        WHERE t.id = ? AND p.client_id = ?""", [treatment_id, env.user_id])
    if row is None:
        raise env.Error(f"None of your patients has a treatment {treatment_id}.")
    treatment = dict(row)
    treatment["withholding_periods"] = env.query("""
        SELECT w.id, w.produce, w.set_by, w.vet_id, v.name AS vet_name, w.hours, w.set_at
        FROM withholding_periods w LEFT JOIN vets v ON v.id = w.vet_id
        WHERE w.treatment_id = ? ORDER BY w.produce, w.set_by, w.id""", [treatment_id])
    return {"treatment": treatment}

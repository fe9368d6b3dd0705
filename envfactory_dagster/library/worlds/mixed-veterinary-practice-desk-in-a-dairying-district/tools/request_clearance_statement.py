from datetime import datetime, timedelta, date


def _search_patients_own(env, patient_id):
    patient = env.one("SELECT id, name, kind, species, head_count FROM patients WHERE id = ? AND client_id = ?", [patient_id, env.user_id])
    if patient is None:
        raise env.Error(f"You have no patient {patient_id} on record.")
    return patient


def _list_clearance_statements_row(env, clearance_statement_id):
    return env.one("""
        SELECT c.id, c.code, c.patient_id, p.name AS patient_name, c.produce, c.supply_on, c.status, c.issued_at
        FROM clearance_statements c JOIN patients p ON p.id = c.patient_id
        WHERE c.id = ? AND c.client_id = ?""", [clearance_statement_id, env.user_id])


def request_clearance_statement(env, *, patient_id: int, produce: str, supply_on: str) -> dict:
    """Issue a clearance statement when all withholding has ended before the supply date."""
    patient = _search_patients_own(env, patient_id)
    if supply_on < env.now[:10]:
        raise env.Error("The supply date has passed.")
    treatments = env.query("""
        SELECT t.id, d.name AS product_name, t.last_given_at, t.off_label,
            (SELECT w.hours FROM withholding_periods w WHERE w.treatment_id = t.id AND w.produce = :produce AND w.set_by = 'vet') AS vet_hours,
            (SELECT w.hours FROM withholding_periods w WHERE w.treatment_id = t.id AND w.produce = :produce AND w.set_by = 'label') AS label_hours
        FROM treatments t JOIN products d ON d.id = t.product_id
        WHERE t.patient_id = :patient ORDER BY t.last_given_at DESC, t.id DESC""", {"produce": produce, "patient": patient_id})
    for treatment in treatments:
        hours = treatment["vet_hours"]
        if hours is None and treatment["off_label"]:
            raise env.Error(f"{treatment['product_name']} was given off the label and no vet has set a withholding period for {produce}, so it has not ended.")
        if hours is None:
            hours = treatment["label_hours"]
        if hours is None:
            raise env.Error(f"No withholding period for {produce} is on record for {treatment['product_name']}.")
        end = (datetime.fromisoformat(treatment["last_given_at"]) + timedelta(hours=hours)).isoformat()
        if end[:10] >= supply_on:
            raise env.Error(f"Withholding of {produce} for {treatment['product_name']} ends at {end}, not before {supply_on}.")
    if env.one("""
            SELECT id FROM clearance_statements
            WHERE patient_id = ? AND produce = ? AND supply_on = ? AND status = 'issued' ORDER BY id LIMIT 1""", [patient_id, produce, supply_on]) is not None:
        raise env.Error(f"A clearance statement for {produce} of {patient['name']} on {supply_on} is issued already.")
    new = env.insert("INSERT INTO clearance_statements (code, client_id, patient_id, produce, supply_on, status, issued_at) VALUES (?, ?, ?, ?, ?, 'issued', ?)",
                     [env.new_id("CLR"), env.user_id, patient_id, produce, supply_on, env.now])
    return {"clearance_statement": _list_clearance_statements_row(env, new)}

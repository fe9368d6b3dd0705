def _list_clearance_statements_row(env, clearance_statement_id):
    return env.one("""
        SELECT c.id, c.code, c.patient_id, p.name AS patient_name, c.produce, c.supply_on, c.status, c.issued_at
        FROM clearance_statements c JOIN patients p ON p.id = c.patient_id
        WHERE c.id = ? AND c.client_id = ?""", [clearance_statement_id, env.user_id])


def withdraw_clearance_statement(env, *, clearance_statement_id: int) -> dict:
    """Withdraw an issued clearance statement whose supply date has not passed."""
    statement = _list_clearance_statements_row(env, clearance_statement_id)
    if statement is None:
        raise env.Error(f"You have no clearance statement {clearance_statement_id}.")
    if statement["status"] != "issued":
        raise env.Error(f"Clearance statement {statement['code']} is withdrawn already.")
    if statement["supply_on"] < env.now[:10]:
        raise env.Error(f"The supply date of clearance statement {statement['code']} has passed.")
    env.execute("UPDATE clearance_statements SET status = 'withdrawn' WHERE id = ? AND client_id = ?", [clearance_statement_id, env.user_id])
    return {"clearance_statement": _list_clearance_statements_row(env, clearance_statement_id)}

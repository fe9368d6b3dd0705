def list_fee_charges(env, *, kind: str = None, status: str = None, concession_id: int = None, first_due_day: str = None, last_due_day: str = None) -> dict:
    """Lists the charges of the user by due date."""
    if concession_id is not None and env.one("SELECT id FROM concessions WHERE id = ? AND trader_id = ?", [concession_id, env.user_id]) is None:
        raise env.Error(f"You have no concession {concession_id}.")
    if first_due_day is not None and last_due_day is not None and first_due_day > last_due_day:
        raise env.Error("The first due day lies after the last due day.")
    rows = env.query(
        "SELECT id, code, kind, concession_id, spunta_assignment_id, period_from, period_to, pitch_cents, electricity_cents, surcharge_cents, due_on, status, paid_at, paid_by FROM fee_charges "
        "WHERE trader_id = :me AND (:kind IS NULL OR kind = :kind) AND (:status IS NULL OR status = :status) AND (:c IS NULL OR concession_id = :c) "
        "AND (:first IS NULL OR due_on >= :first) AND (:last IS NULL OR due_on <= :last) ORDER BY due_on, id",
        {"me": env.user_id, "kind": kind, "status": status, "c": concession_id, "first": first_due_day, "last": last_due_day})
    return {"fee_charges": rows}

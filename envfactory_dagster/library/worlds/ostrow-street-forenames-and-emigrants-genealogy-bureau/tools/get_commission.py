def get_commission(env, *, commission_id: int) -> dict:
    """Show one of the user's own commissions with the hours worked and the hours left."""
    commission = env.one(
        """
        SELECT id, surname, region, budget_hours, status, requested_at, started_at, paused_at,
               consented_at, completed_at, cancelled_at
        FROM commissions
        WHERE id = ? AND client_id = ?
        """,
        [commission_id, env.user_id],
    )
    if commission is None:
        raise env.Error(f"you have no commission {commission_id}")
    row = env.one(
        "SELECT COALESCE(SUM(hours), 0) AS hours FROM time_entries WHERE commission_id = ?",
        [commission_id],
    )
    worked = round(float(row["hours"]), 2)
    result = dict(commission)
    result["worked_hours"] = worked
    result["remaining_hours"] = round(commission["budget_hours"] - worked, 2)
    return result

MIN_HOURS_LEFT = 2
MAX_BUDGET_HOURS = 60


def set_commission_budget(env, *, commission_id: int, budget_hours: float) -> dict:
    """Set the budget of the user's own open commission."""
    commission = env.one(
        "SELECT id, status FROM commissions WHERE id = ? AND client_id = ?",
        [commission_id, env.user_id],
    )
    if commission is None:
        raise env.Error(f"you have no commission {commission_id}")
    if commission["status"] not in ("requested", "active", "paused"):
        raise env.Error(
            f"the budget of a commission that is {commission['status']} cannot be changed"
        )
    row = env.one(
        "SELECT COALESCE(SUM(hours), 0) AS hours FROM time_entries WHERE commission_id = ?",
        [commission_id],
    )
    worked = round(float(row["hours"]), 2)
    floor = round(worked + MIN_HOURS_LEFT, 2)
    if budget_hours < floor:
        raise env.Error(
            f"{worked:g} hours have already been worked, so the budget can be no lower than "
            f"{floor:g} hours"
        )
    if budget_hours > MAX_BUDGET_HOURS:
        raise env.Error("the budget of a commission can be no higher than 60 hours")
    env.execute(
        "UPDATE commissions SET budget_hours = ? WHERE id = ? AND client_id = ?",
        [float(budget_hours), commission_id, env.user_id],
    )
    changed = env.one(
        """
        SELECT id, surname, region, budget_hours, status, requested_at, started_at, paused_at,
               consented_at, completed_at, cancelled_at
        FROM commissions
        WHERE id = ? AND client_id = ?
        """,
        [commission_id, env.user_id],
    )
    return {"commission": changed}

def _cancel_commission_commission(env, commission_id):
    return env.one(
        """
        SELECT id, surname, region, budget_hours, status, requested_at, started_at, paused_at,
               consented_at, completed_at, cancelled_at
        FROM commissions
        WHERE id = :commission_id AND client_id = :client_id
        """,
        {"commission_id": commission_id, "client_id": env.user_id},
    )


def cancel_commission(env, *, commission_id: int) -> dict:
    """Cancels the user's own requested, active or paused commission for good."""
    commission = _cancel_commission_commission(env, commission_id)
    if commission is None:
        raise env.Error(f"you have no commission {commission_id}")
    if commission["status"] not in ("requested", "active", "paused"):
        raise env.Error(f"your commission {commission_id} has already ended, it is {commission['status']}")
    env.execute(
        """
        UPDATE commissions SET status = 'cancelled', cancelled_at = :now
        WHERE id = :commission_id AND client_id = :client_id
        """,
        {"now": env.now, "commission_id": commission_id, "client_id": env.user_id},
    )
    return {"commission": dict(_cancel_commission_commission(env, commission_id))}

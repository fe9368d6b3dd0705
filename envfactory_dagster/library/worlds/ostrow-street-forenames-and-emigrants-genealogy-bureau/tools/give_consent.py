def _give_consent_commission(env, commission_id):
    return env.one(
        """
        SELECT id, surname, region, budget_hours, status, requested_at, started_at, paused_at,
               consented_at, completed_at, cancelled_at
        FROM commissions
        WHERE id = :commission_id AND client_id = :client_id
        """,
        {"commission_id": commission_id, "client_id": env.user_id},
    )


def give_consent(env, *, commission_id: int) -> dict:
    """Gives the user's consent to go on with their own paused commission."""
    commission = _give_consent_commission(env, commission_id)
    if commission is None:
        raise env.Error(f"you have no commission {commission_id}")
    if commission["status"] != "paused":
        raise env.Error(
            f"only a paused commission waits for consent, and your commission {commission_id} "
            f"is {commission['status']}"
        )
    env.execute(
        """
        UPDATE commissions SET status = 'active', consented_at = :now
        WHERE id = :commission_id AND client_id = :client_id
        """,
        {"now": env.now, "commission_id": commission_id, "client_id": env.user_id},
    )
    return {"commission": dict(_give_consent_commission(env, commission_id))}

def list_my_commissions(env, *, status: str = None, surname: str = None) -> dict:
    """List the user's own commissions that meet all the given conditions."""
    commissions = env.query(
        """
        SELECT id, surname, region, budget_hours, status, requested_at, started_at, paused_at,
               consented_at, completed_at, cancelled_at
        FROM commissions
        WHERE client_id = :user_id
          AND (:status IS NULL OR status = :status)
          AND (:surname IS NULL OR instr(lower(surname), lower(:surname)) > 0)
        ORDER BY requested_at, id
        """,
        {"user_id": env.user_id, "status": status, "surname": surname},
    )
    return {"commissions": commissions}

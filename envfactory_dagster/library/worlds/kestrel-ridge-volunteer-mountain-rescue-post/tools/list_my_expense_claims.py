def list_my_expense_claims(env, *, status: str = None, callout_id: int = None, exercise_id: int = None) -> dict:
    """Lists the user's own expense claims in the order they were submitted."""
    if callout_id is not None:
        callout = env.one("SELECT id FROM callouts WHERE id = :callout_id", {"callout_id": callout_id})
        if callout is None:
            raise env.Error(f"there is no callout {callout_id}")
    if exercise_id is not None:
        exercise = env.one("SELECT id FROM exercises WHERE id = :exercise_id", {"exercise_id": exercise_id})
        if exercise is None:
            raise env.Error(f"there is no exercise {exercise_id}")
    rows = env.query(
        """
        SELECT id, callout_id, exercise_id, amount_cents, description, status, submitted_at, decided_at, paid_at,
               withdrawn_at
        FROM expense_claims
        WHERE member_id = :member_id
          AND (:status IS NULL OR status = :status)
          AND (:callout_id IS NULL OR callout_id = :callout_id)
          AND (:exercise_id IS NULL OR exercise_id = :exercise_id)
        ORDER BY submitted_at, id
        """,
        {"member_id": env.user_id, "status": status, "callout_id": callout_id, "exercise_id": exercise_id},
    )
    return {"expense_claims": [dict(row) for row in rows]}

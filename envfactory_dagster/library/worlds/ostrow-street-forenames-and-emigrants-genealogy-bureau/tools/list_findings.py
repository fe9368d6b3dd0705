def list_findings(
    env, *, commission_id: int, status: str = None, min_confidence_grade: int = None
) -> dict:
    """List the findings made in one of the user's own commissions."""
    own = env.one(
        "SELECT id FROM commissions WHERE id = ? AND client_id = ?",
        [commission_id, env.user_id],
    )
    if own is None:
        raise env.Error(f"you have no commission {commission_id}")
    findings = env.query(
        """
        SELECT id, commission_id, statement, source, confidence_grade, status, recorded_at,
               disputed_at, dispute_reason, withdrawn_at
        FROM findings
        WHERE commission_id = :commission_id
          AND (:status IS NULL OR status = :status)
          AND (:min_grade IS NULL OR confidence_grade >= :min_grade)
        ORDER BY recorded_at, id
        """,
        {"commission_id": commission_id, "status": status, "min_grade": min_confidence_grade},
    )
    return {"findings": findings}

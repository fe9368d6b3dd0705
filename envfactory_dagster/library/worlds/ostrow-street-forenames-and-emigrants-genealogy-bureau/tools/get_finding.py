def get_finding(env, *, finding_id: int) -> dict:
    """Show one finding of the user's own commissions."""
    finding = env.one(
        """
        SELECT f.id, f.commission_id, f.statement, f.source, f.confidence_grade, f.status,
               f.recorded_at, f.disputed_at, f.dispute_reason, f.withdrawn_at
        FROM findings f
        JOIN commissions c ON c.id = f.commission_id
        WHERE f.id = ? AND c.client_id = ?
        """,
        [finding_id, env.user_id],
    )
    if finding is None:
        raise env.Error(f"you have no finding {finding_id}")
    return {"finding": finding}

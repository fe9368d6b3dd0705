from datetime import datetime, timedelta

WINDOW_DAYS = 30


def _dispute_finding_finding(env, finding_id):
    return env.one(
        """
        SELECT f.id, f.commission_id, f.statement, f.source, f.confidence_grade, f.status,
               f.recorded_at, f.disputed_at, f.dispute_reason, f.withdrawn_at
        FROM findings f
        JOIN commissions c ON c.id = f.commission_id
        WHERE f.id = :finding_id AND c.client_id = :client_id
        """,
        {"finding_id": finding_id, "client_id": env.user_id},
    )


def dispute_finding(env, *, finding_id: int, dispute_reason: str) -> dict:
    """Disputes an open finding on the user's own commission, within 30 days after it was recorded."""
    finding = _dispute_finding_finding(env, finding_id)
    if finding is None:
        raise env.Error(f"there is no finding {finding_id} in your commissions")
    if finding["status"] != "open":
        raise env.Error(f"only an open finding can be disputed, and finding {finding_id} is {finding['status']}")
    latest = datetime.fromisoformat(finding["recorded_at"]) + timedelta(days=WINDOW_DAYS)
    if datetime.fromisoformat(env.now) > latest:
        raise env.Error(
            f"a finding can be disputed only within 30 days after it was recorded, "
            f"and finding {finding_id} was recorded on {finding['recorded_at'][:10]}"
        )
    if not dispute_reason.strip():
        raise env.Error("a reason is needed to dispute a finding")
    env.execute(
        """
        UPDATE findings SET status = 'disputed', disputed_at = :now, dispute_reason = :dispute_reason
        WHERE id = :finding_id
        """,
        {"now": env.now, "dispute_reason": dispute_reason, "finding_id": finding_id},
    )
    return {"finding": dict(_dispute_finding_finding(env, finding_id))}

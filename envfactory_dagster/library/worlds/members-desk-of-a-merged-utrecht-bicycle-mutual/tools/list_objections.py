def list_objections(env, *, status: str = None) -> dict:
    """List the member's objections, oldest first."""
    rows = env.query(
        "SELECT id, claim_id, cover_id, about, asked_own_risk_cents, asked_end_on, reason, status, filed_at, decided_at"
        " FROM objections WHERE member_id = :member AND (:status IS NULL OR status = :status) ORDER BY filed_at, id",
        {"member": env.user_id, "status": status},
    )
    return {"objections": rows}

def list_plan_claims(env, *, wellness_plan_membership_id: int = None, status: str = None) -> dict:
    """List the client's own plan claims."""
    if wellness_plan_membership_id is not None and env.one(
            "SELECT id FROM wellness_plan_memberships WHERE id = ? AND client_id = ?", [wellness_plan_membership_id, env.user_id]) is None:
        raise env.Error(f"You have no plan membership {wellness_plan_membership_id}.")
    return {"plan_claims": env.query("""
        SELECT k.id, k.code, k.membership_id, k.invoice_id, i.code AS invoice_code, k.kind, k.amount_cents, k.status, k.submitted_at
        FROM plan_claims k
        JOIN wellness_plan_memberships m ON m.id = k.membership_id
        JOIN invoices i ON i.id = k.invoice_id
        WHERE m.client_id = :user AND (:membership IS NULL OR k.membership_id = :membership) AND (:status IS NULL OR k.status = :status)
        ORDER BY k.submitted_at DESC, k.id DESC""", {"user": env.user_id, "membership": wellness_plan_membership_id, "status": status})}

def _list_plan_claims_row(env, plan_claim_id):
    return env.one("""
        SELECT k.id, k.code, k.membership_id, k.invoice_id, i.code AS invoice_code, k.kind, k.amount_cents, k.status, k.submitted_at
        FROM plan_claims k
        JOIN wellness_plan_memberships m ON m.id = k.membership_id
        JOIN invoices i ON i.id = k.invoice_id
        WHERE k.id = ? AND m.client_id = ?""", [plan_claim_id, env.user_id])


def withdraw_plan_claim(env, *, plan_claim_id: int) -> dict:
    """Withdraw a claim that is not yet decided."""
    claim = _list_plan_claims_row(env, plan_claim_id)
    if claim is None:
        raise env.Error(f"You have no plan claim {plan_claim_id}.")
    if claim["status"] != "submitted":
        raise env.Error(f"Claim {claim['code']} is {claim['status']} and cannot be withdrawn.")
    env.execute("UPDATE plan_claims SET status = 'withdrawn' WHERE id = ?", [plan_claim_id])
    return {"plan_claim": _list_plan_claims_row(env, plan_claim_id)}

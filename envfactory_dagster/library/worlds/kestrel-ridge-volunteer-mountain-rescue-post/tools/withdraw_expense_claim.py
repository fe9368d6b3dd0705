def withdraw_expense_claim(env, *, expense_claim_id: int) -> dict:
    """Withdraw the user's own submitted expense claim for good."""
    claim = env.one(
        """
        SELECT id, callout_id, exercise_id, amount_cents, description, status, submitted_at,
               decided_at, paid_at, withdrawn_at
        FROM expense_claims
        WHERE id = ? AND member_id = ?
        """,
        [expense_claim_id, env.user_id],
    )
    if claim is None:
        raise env.Error(f"you have no expense claim {expense_claim_id}")
    if claim["status"] == "withdrawn":
        raise env.Error("this claim has already been withdrawn")
    if claim["status"] != "submitted":
        raise env.Error(
            f"only a claim that is still submitted can be withdrawn; this one is {claim['status']}"
        )
    env.execute(
        """
        UPDATE expense_claims SET status = 'withdrawn', withdrawn_at = ?
        WHERE id = ? AND member_id = ?
        """,
        [env.now, expense_claim_id, env.user_id],
    )
    result = dict(claim)
    result["status"] = "withdrawn"
    result["withdrawn_at"] = env.now
    return {"expense_claim": result}

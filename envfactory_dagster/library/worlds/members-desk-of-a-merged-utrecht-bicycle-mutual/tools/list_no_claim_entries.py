def list_no_claim_entries(env) -> dict:
    """List the no-claim entries of the member's policies, oldest first."""
    rows = env.query(
        "SELECT n.id, n.claim_id, n.reason, n.entered_on, n.change, n.steps_after"
        " FROM no_claim_entries n JOIN policies p ON p.id = n.policy_id"
        " WHERE p.member_id = ? ORDER BY n.entered_on, n.id",
        [env.user_id],
    )
    return {"no_claim_entries": rows}

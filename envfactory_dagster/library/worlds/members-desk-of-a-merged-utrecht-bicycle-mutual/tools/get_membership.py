def get_membership(env) -> dict:
    """Show the member, the running policy and the no-claim steps it has now."""
    member = env.one(
        "SELECT id, member_number, full_name, email, phone, old_fund, joined_on FROM members WHERE id = ?",
        [env.user_id],
    )
    if member is None:
        raise env.Error("you are not known as a member")
    policy = env.one(
        "SELECT id, policy_number, kind, starts_on FROM policies"
        " WHERE member_id = ? AND (ends_on IS NULL OR ends_on >= ?)"
        " ORDER BY (ends_on IS NULL) DESC, id DESC LIMIT 1",
        [env.user_id, env.now[:10]],
    )
    if policy is None:
        raise env.Error("you have no running policy")
    entry = env.one(
        "SELECT steps_after FROM no_claim_entries WHERE policy_id = ? ORDER BY entered_on DESC, id DESC LIMIT 1",
        [policy["id"]],
    )
    return {"member": member, "policy": policy, "no_claim_steps": entry["steps_after"] if entry else 0}

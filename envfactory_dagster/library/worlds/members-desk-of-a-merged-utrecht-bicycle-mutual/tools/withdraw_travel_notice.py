def withdraw_travel_notice(env, *, travel_notice_id: int) -> dict:
    """Withdraw a travel notice that has not begun yet."""
    notice = env.one(
        "SELECT t.id, t.starts_on, t.withdrawn_at FROM travel_notices t"
        " JOIN bicycles b ON b.id = t.bicycle_id JOIN policies p ON p.id = b.policy_id"
        " WHERE t.id = ? AND p.member_id = ?",
        [travel_notice_id, env.user_id],
    )
    if notice is None:
        raise env.Error(f"you have no travel notice {travel_notice_id}")
    if notice["withdrawn_at"] is not None:
        raise env.Error(f"travel notice {travel_notice_id} is withdrawn already")
    if notice["starts_on"] <= env.now[:10]:
        raise env.Error(f"the journey of travel notice {travel_notice_id} has begun")
    env.execute("UPDATE travel_notices SET withdrawn_at = ? WHERE id = ?", [env.now, travel_notice_id])
    return env.one(
        "SELECT id, bicycle_id, countries, area, starts_on, ends_on, filed_at, withdrawn_at"
        " FROM travel_notices WHERE id = ?",
        [travel_notice_id],
    )

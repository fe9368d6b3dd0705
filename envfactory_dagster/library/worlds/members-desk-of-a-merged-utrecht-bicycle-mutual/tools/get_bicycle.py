def get_bicycle(env, *, bicycle_id: int) -> dict:
    """Show one bicycle of the member with its locks and covers."""
    bicycle = env.one(
        "SELECT b.id, b.rider_name, b.kind, b.make, b.model, b.colour, b.frame_number, b.first_sold_on,"
        " b.acquired_on, b.price_cents, b.battery_wh, b.added_at"
        " FROM bicycles b JOIN policies p ON p.id = b.policy_id WHERE b.id = ? AND p.member_id = ?",
        [bicycle_id, env.user_id],
    )
    if bicycle is None:
        raise env.Error(f"there is no bicycle {bicycle_id} on your policy")
    locks = env.query(
        "SELECT id, bicycle_id, make, kind, category, added_on FROM locks WHERE bicycle_id = ? ORDER BY id",
        [bicycle_id],
    )
    covers = env.query(
        "SELECT id, bicycle_id, kind, insured_value_cents, monthly_premium_cents, starts_on, ends_on, cancelled_at"
        " FROM covers WHERE bicycle_id = ? ORDER BY starts_on, id",
        [bicycle_id],
    )
    return {"bicycle": bicycle, "locks": locks, "covers": covers}

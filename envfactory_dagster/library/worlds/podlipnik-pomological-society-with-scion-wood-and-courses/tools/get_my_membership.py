def get_my_membership(env) -> dict:
    """Shows the member with points and the trees reserved."""
    member = env.one(
        "SELECT m.number, m.full_name, p.item AS membership, p.price_cents AS dues_cents, m.dues_paid_on, "
        "s.settlement, s.municipality, m.joined_year "
        "FROM members m JOIN price_items p ON p.id = m.dues_item_id JOIN settlements s ON s.id = m.settlement_id "
        "WHERE m.id = :member_id",
        {"member_id": env.user_id},
    )
    if member is None:
        raise env.Error("You are not in the list of members.")
    points = env.one(
        "SELECT COALESCE(SUM(CASE WHEN kind IN ('used', 'expired') THEN -points ELSE points END), 0) AS balance, "
        "COALESCE(SUM(CASE WHEN kind = 'used' AND substr(entered_on, 1, 4) = :year THEN points ELSE 0 END), 0) AS used "
        "FROM points_entries WHERE member_id = :member_id",
        {"member_id": env.user_id, "year": env.now[:4]},
    )
    trees = env.one(
        "SELECT COALESCE(SUM(r.trees), 0) AS trees, "
        "COALESCE(SUM(CASE WHEN l.lot = 'D-13' THEN r.trees ELSE 0 END), 0) AS d_13 "
        "FROM tree_reservations r JOIN lots l ON l.id = r.lot_id "
        "WHERE r.member_id = :member_id AND r.status IN ('awaiting deposit', 'held', 'collected')",
        {"member_id": env.user_id},
    )
    result = dict(member)
    result["today"] = env.now[:10]
    result["points_balance"] = points["balance"]
    result["points_used_this_year"] = points["used"]
    result["trees_reserved"] = trees["trees"]
    result["trees_reserved_of_d_13"] = trees["d_13"]
    return result

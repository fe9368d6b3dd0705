def _get_tree_reservation_view(env, tree_reservation_id):
    row = env.one(
        "SELECT r.id AS tree_reservation_id, r.code, r.lot_id, l.lot, l.name, l.is_r, r.trees, "
        "r.tree_collection_day_id, p.code AS place_code, d.held_on, r.status, r.reserved_on, r.deposit_due_on, "
        "r.deposit_paid_on, l.rootstock, l.form_or_grade, r.price_per_tree_cents, r.deposit_per_tree_cents, "
        "r.parcel_number, r.parcel_municipality, r.is_signed, r.place_changed_on, r.ended_on, d.for_what "
        "FROM tree_reservations r JOIN lots l ON l.id = r.lot_id "
        "JOIN tree_collection_days d ON d.id = r.tree_collection_day_id "
        "JOIN collection_places p ON p.id = d.place_id "
        "WHERE r.id = :tree_reservation_id AND r.member_id = :member_id",
        {"tree_reservation_id": tree_reservation_id, "member_id": env.user_id},
    )
    if row is None:
        raise env.Error("You have no tree reservation with the id " + str(tree_reservation_id) + ".")
    points = env.one(
        "SELECT COALESCE(SUM(points), 0) AS points FROM points_entries "
        "WHERE tree_reservation_id = :tree_reservation_id AND kind = 'used'",
        {"tree_reservation_id": tree_reservation_id},
    )["points"]
    last_pick_up = "last pick-up" in row.pop("for_what")
    row["total_cents"] = row["trees"] * row["price_per_tree_cents"]
    row["points_set"] = points
    row["deposit_paid_cents"] = row["trees"] * row["deposit_per_tree_cents"] if row["deposit_paid_on"] else 0
    row["heeling_in_cents"] = row["trees"] * 200 if last_pick_up else 0
    left = row["total_cents"] + row["heeling_in_cents"] - round(points * 150) - row["deposit_paid_cents"]
    row["left_to_pay_cents"] = 0 if row["status"] in ("lapsed", "given up") else max(left, 0)
    return row


def give_up_reservation(env, *, tree_reservation_id: int) -> dict:
    """Gives a reservation up and frees its trees."""
    row = _get_tree_reservation_view(env, tree_reservation_id)
    if row["status"] not in ("awaiting deposit", "held"):
        raise env.Error("Reservation " + row["code"] + " has ended; its status is " + row["status"] + ".")
    env.execute(
        "UPDATE tree_reservations SET status = 'given up', ended_on = :today "
        "WHERE id = :tree_reservation_id AND member_id = :member_id",
        {"today": env.now[:10], "tree_reservation_id": tree_reservation_id, "member_id": env.user_id},
    )
    env.execute(
        "UPDATE lots SET free_pieces = free_pieces + :trees, reserved_or_sold = reserved_or_sold - :trees "
        "WHERE id = :lot_id",
        {"trees": row["trees"], "lot_id": row["lot_id"]},
    )
    if row["points_set"] > 0:
        env.execute(
            "DELETE FROM points_entries WHERE tree_reservation_id = :tree_reservation_id "
            "AND member_id = :member_id AND kind = 'used'",
            {"tree_reservation_id": tree_reservation_id, "member_id": env.user_id},
        )
    return {"tree_reservation": _get_tree_reservation_view(env, tree_reservation_id)}

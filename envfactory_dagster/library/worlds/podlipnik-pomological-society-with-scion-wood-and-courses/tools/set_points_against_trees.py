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


def _set_points_against_trees_balance(env):
    return env.one(
        "SELECT COALESCE(SUM(CASE WHEN kind IN ('used', 'expired') THEN -points ELSE points END), 0) AS balance, "
        "COALESCE(SUM(CASE WHEN kind = 'used' AND substr(entered_on, 1, 4) = :year THEN points ELSE 0 END), 0) AS used "
        "FROM points_entries WHERE member_id = :member_id",
        {"member_id": env.user_id, "year": env.now[:4]},
    )


def _set_points_against_trees_check(env, points, points_set, invoice_cents):
    if points <= 0 or points * 2 != int(points * 2):
        raise env.Error("Points are set in whole or half points, and more than none.")
    if (points_set + points) * 300 > invoice_cents:
        raise env.Error("Points of 1.50 EUR each may pay at most half of it.")
    state = _set_points_against_trees_balance(env)
    if state["used"] + points > 30:
        raise env.Error(
            "At most 30 points may be used in a calendar year; you have used " + str(state["used"]) + " this year."
        )
    if points > state["balance"]:
        raise env.Error("You have " + str(state["balance"]) + " points.")


def set_points_against_trees(env, *, tree_reservation_id: int, points: float) -> dict:
    """Sets points against the invoice of a reservation."""
    row = _get_tree_reservation_view(env, tree_reservation_id)
    if row["status"] not in ("awaiting deposit", "held"):
        raise env.Error("Reservation " + row["code"] + " has ended; its status is " + row["status"] + ".")
    _set_points_against_trees_check(env, points, row["points_set"], row["total_cents"])
    env.insert(
        "INSERT INTO points_entries (member_id, kind, points, entered_on, tree_reservation_id) "
        "VALUES (:member_id, 'used', :points, :today, :tree_reservation_id)",
        {
            "member_id": env.user_id,
            "points": float(points),
            "today": env.now[:10],
            "tree_reservation_id": tree_reservation_id,
        },
    )
    state = _set_points_against_trees_balance(env)
    return {
        "tree_reservation": _get_tree_reservation_view(env, tree_reservation_id),
        "points_balance": state["balance"],
        "points_used_this_year": state["used"],
    }

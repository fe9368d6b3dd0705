RESERVE_TREES_FIRST_DAY = "2026-03-01"
RESERVE_TREES_LAST_DAY = "2026-06-30"
RESERVE_TREES_MOST = 10
RESERVE_TREES_MOST_D_13 = 2

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


def _reserve_trees_counts(env):
    return env.one(
        "SELECT COALESCE(SUM(r.trees), 0) AS trees, "
        "COALESCE(SUM(CASE WHEN l.lot = 'D-13' THEN r.trees ELSE 0 END), 0) AS d_13 "
        "FROM tree_reservations r JOIN lots l ON l.id = r.lot_id "
        "WHERE r.member_id = :member_id AND r.status IN ('awaiting deposit', 'held', 'collected')",
        {"member_id": env.user_id},
    )


def _reserve_trees_check(env, lot, more):
    today = env.now[:10]
    if today < RESERVE_TREES_FIRST_DAY or today > RESERVE_TREES_LAST_DAY:
        raise env.Error("Young trees can be reserved from 1 March to 30 June 2026 only.")
    if more > lot["free_pieces"]:
        raise env.Error("Of lot " + lot["lot"] + " there are " + str(lot["free_pieces"]) + " free.")
    counts = _reserve_trees_counts(env)
    if counts["trees"] + more > RESERVE_TREES_MOST:
        raise env.Error(
            "A member may reserve at most 10 trees in all; you have " + str(counts["trees"]) + " reserved."
        )
    if lot["lot"] == "D-13" and counts["d_13"] + more > RESERVE_TREES_MOST_D_13:
        raise env.Error("Of lot D-13 a member may reserve at most 2 trees; you have " + str(counts["d_13"]) + ".")


def change_number_of_trees(env, *, tree_reservation_id: int, trees: int) -> dict:
    """Changes the number of trees of a reservation."""
    row = _get_tree_reservation_view(env, tree_reservation_id)
    if row["status"] not in ("awaiting deposit", "held"):
        raise env.Error("Reservation " + row["code"] + " has ended; its status is " + row["status"] + ".")
    if trees < 1 or trees > RESERVE_TREES_MOST:
        raise env.Error("A reservation is for 1 to 10 trees.")
    more = trees - row["trees"]
    if more > 0:
        if row["status"] != "awaiting deposit":
            raise env.Error(
                "The deposit for " + row["code"] + " has arrived; reserve further trees in a reservation of their own."
            )
        lot = env.one("SELECT id, lot, free_pieces FROM lots WHERE id = :lot_id", {"lot_id": row["lot_id"]})
        _reserve_trees_check(env, lot, more)
    if row["points_set"] * 300 > trees * row["price_per_tree_cents"]:
        raise env.Error("The points set against " + row["code"] + " would be more than half of the new invoice.")
    if more != 0:
        env.execute(
            "UPDATE tree_reservations SET trees = :trees WHERE id = :tree_reservation_id AND member_id = :member_id",
            {"trees": trees, "tree_reservation_id": tree_reservation_id, "member_id": env.user_id},
        )
        env.execute(
            "UPDATE lots SET free_pieces = free_pieces - :more, reserved_or_sold = reserved_or_sold + :more "
            "WHERE id = :lot_id",
            {"more": more, "lot_id": row["lot_id"]},
        )
    return {"tree_reservation": _get_tree_reservation_view(env, tree_reservation_id)}

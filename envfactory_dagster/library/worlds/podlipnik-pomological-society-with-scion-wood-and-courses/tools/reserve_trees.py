from datetime import date, timedelta

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


def reserve_trees(
    env,
    *,
    lot_id: int,
    tree_collection_day_id: int,
    trees: int,
    parcel_number: str = None,
    parcel_municipality: str = None,
    is_signed: int = 0,
) -> dict:
    """Reserves young trees of one lot for the member."""
    lot = env.one(
        "SELECT id, lot, kind, is_r, free_pieces, member_price_cents FROM lots WHERE id = :lot_id",
        {"lot_id": lot_id},
    )
    if lot is None:
        raise env.Error("There is no lot with the id " + str(lot_id) + ".")
    day = env.one(
        "SELECT d.id, d.held_on, d.for_what, p.code, p.takes_r_lots FROM tree_collection_days d "
        "JOIN collection_places p ON p.id = d.place_id WHERE d.id = :tree_collection_day_id",
        {"tree_collection_day_id": tree_collection_day_id},
    )
    if day is None:
        raise env.Error("There is no collection day with the id " + str(tree_collection_day_id) + ".")
    if lot["kind"] != "tree":
        raise env.Error("Lot " + lot["lot"] + " is a rootstock; only young trees are reserved here.")
    if trees < 1:
        raise env.Error("At least 1 tree must be reserved.")
    if "last pick-up" in day["for_what"]:
        raise env.Error("21 November is the last pick-up; reserve for 7, 14 or 15 November.")
    parcel = (parcel_number or "").strip()
    if lot["is_r"] == 1:
        if not parcel or parcel_municipality is None:
            raise env.Error(
                "Lot " + lot["lot"] + " is marked R: name the cadastral parcel and its municipality."
            )
        if parcel_municipality != "Podlipnik":
            raise env.Error("Trees of a lot marked R may stand in the municipality of Podlipnik only.")
        if is_signed != 1:
            raise env.Error("For a lot marked R the member's signature on form R is needed.")
        if day["code"] != "K1" or day["takes_r_lots"] != 1:
            raise env.Error("Trees of a lot marked R are handed out at K1 only.")
    elif parcel or parcel_municipality is not None:
        raise env.Error("A parcel is named for lots marked R only, and lot " + lot["lot"] + " is none.")
    _reserve_trees_check(env, lot, trees)
    today = env.now[:10]
    new_reservation = env.insert(
        "INSERT INTO tree_reservations (code, member_id, lot_id, tree_collection_day_id, trees, "
        "price_per_tree_cents, deposit_per_tree_cents, parcel_number, parcel_municipality, is_signed, status, "
        "reserved_on, deposit_due_on) VALUES (:code, :member_id, :lot_id, :day_id, :trees, :price, 500, "
        ":parcel_number, :parcel_municipality, :is_signed, 'awaiting deposit', :reserved_on, :deposit_due_on)",
        {
            "code": env.new_id("TR"),
            "member_id": env.user_id,
            "lot_id": lot_id,
            "day_id": tree_collection_day_id,
            "trees": trees,
            "price": lot["member_price_cents"],
            "parcel_number": parcel if lot["is_r"] == 1 else None,
            "parcel_municipality": parcel_municipality if lot["is_r"] == 1 else None,
            "is_signed": 1 if lot["is_r"] == 1 else 0,
            "reserved_on": today,
            "deposit_due_on": (date.fromisoformat(today) + timedelta(days=15)).isoformat(),
        },
    )
    env.execute(
        "UPDATE lots SET free_pieces = free_pieces - :trees, reserved_or_sold = reserved_or_sold + :trees "
        "WHERE id = :lot_id",
        {"trees": trees, "lot_id": lot_id},
    )
    return {"tree_reservation": _get_tree_reservation_view(env, new_reservation)}

import math


def solve(tools):
    me = tools.get_my_membership()
    mine = tools.list_my_tree_reservations(status="held")["tree_reservations"]
    row = next(r for r in mine if r["name"] == "Zlata parmena" and r["trees"] == 3)
    full = tools.get_tree_reservation(tree_reservation_id=row["tree_reservation_id"])["tree_reservation"]
    half = math.floor(full["total_cents"] / 300 * 2) / 2 - full["points_set"]
    points = min(half, 30 - me["points_used_this_year"], me["points_balance"])
    after = tools.set_points_against_trees(tree_reservation_id=row["tree_reservation_id"], points=points)
    left = after["tree_reservation"]["left_to_pay_cents"]
    return {
        "outcome": "done",
        "answers": {"left_in_money": left, "points_left": after["points_balance"]},
        "reason": None,
        "message": (
            f"{points:g} points are set against the three Zlata parmena; with the deposits counted in, "
            f"{left / 100:.2f} EUR are still to be brought in money, and you have {after['points_balance']:g} points left."
        ),
    }

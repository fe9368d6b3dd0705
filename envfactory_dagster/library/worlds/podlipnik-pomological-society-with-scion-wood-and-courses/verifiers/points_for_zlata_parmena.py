import math


def _reservation(world):
    return world.initial.one(
        "SELECT r.id, r.trees * r.price_per_tree_cents AS total, r.trees * r.deposit_per_tree_cents AS deposit,"
        " (SELECT COALESCE(SUM(e.points), 0) FROM points_entries e"
        " WHERE e.tree_reservation_id = r.id AND e.kind = 'used') AS points"
        " FROM tree_reservations r JOIN lots l ON l.id = r.lot_id"
        " WHERE r.member_id = 1 AND r.status = 'held' AND l.name = ? AND r.trees = 3",
        ["Zlata parmena"],
    )


def _points_state(world):
    return world.initial.one(
        "SELECT SUM(CASE WHEN kind IN ('used', 'expired') THEN -points ELSE points END) AS balance,"
        " SUM(CASE WHEN kind = 'used' AND substr(entered_on, 1, 4) = '2026' THEN points ELSE 0 END) AS used"
        " FROM points_entries WHERE member_id = 1"
    )


def _most(world):
    row, state = _reservation(world), _points_state(world)
    half = math.floor(row["total"] / 300 * 2) / 2 - row["points"]
    return min(half, 30 - state["used"], state["balance"])


def goal_sets_the_most_points(world) -> bool:
    """Has as many points set against the three Zlata parmena as half of the invoice allows."""
    row = _reservation(world)
    now = world.final.one(
        "SELECT COALESCE(SUM(points), 0) AS n FROM points_entries"
        " WHERE member_id = 1 AND kind = 'used' AND tree_reservation_id = ?",
        [row["id"]],
    )["n"]
    return now == row["points"] + _most(world)


def goal_says_what_is_left_in_money(world) -> bool:
    """Says what is still to be brought in money, the deposits counted in."""
    row = _reservation(world)
    left = row["total"] - row["deposit"] - round((row["points"] + _most(world)) * 150)
    return world.report.says("left_in_money", left)


def goal_says_the_points_left(world) -> bool:
    """Says how many points are left."""
    return world.report.says("points_left", _points_state(world)["balance"] - _most(world))


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but points newly set against this reservation."""
    reservation = _reservation(world)["id"]
    return all(
        change["table"] == "points_entries"
        and change["before"] is None
        and change["after"]["member_id"] == 1
        and change["after"]["kind"] == "used"
        and change["after"]["tree_reservation_id"] == reservation
        for change in world.changes
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, and for no rule as a reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None

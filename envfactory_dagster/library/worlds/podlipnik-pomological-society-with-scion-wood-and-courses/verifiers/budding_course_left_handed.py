import math


def _course(world):
    return world.initial.one("SELECT id, member_fee_cents FROM courses WHERE held_on = '2026-08-22'")


def _me(world):
    return world.initial.one("SELECT full_name FROM members WHERE id = 1")["full_name"]


def _most_points(world):
    half = math.floor(_course(world)["member_fee_cents"] / 300 * 2) / 2
    state = world.initial.one(
        "SELECT SUM(CASE WHEN kind IN ('used', 'expired') THEN -points ELSE points END) AS balance,"
        " SUM(CASE WHEN kind = 'used' AND substr(entered_on, 1, 4) = '2026' THEN points ELSE 0 END) AS used"
        " FROM points_entries WHERE member_id = 1"
    )
    return min(half, 30 - state["used"], state["balance"])


def _registrations(world):
    known = [row["id"] for row in world.initial.query("SELECT id FROM course_registrations ORDER BY id")]
    rows = world.final.query(
        "SELECT * FROM course_registrations WHERE member_id = 1 AND course_id = ? ORDER BY id", [_course(world)["id"]]
    )
    return [row for row in rows if row["id"] not in known]


def goal_is_registered_for_the_course(world) -> bool:
    """Has the member alone registered for the summer budding at the full member fee."""
    rows = _registrations(world)
    return (
        len(rows) == 1
        and rows[0]["participant_name"] == _me(world)
        and rows[0]["fee_kind"] == "member"
        and rows[0]["fee_cents"] == _course(world)["member_fee_cents"]
        and rows[0]["status"] == "awaiting payment"
    )


def goal_has_a_left_handed_knife(world) -> bool:
    """Has a left-handed knife lent for it."""
    rows = _registrations(world)
    return len(rows) == 1 and rows[0]["knife"] == "left-handed"


def goal_sets_the_most_points(world) -> bool:
    """Has as many points set against the fee as is allowed."""
    rows = _registrations(world)
    if len(rows) != 1:
        return False
    points = world.final.one(
        "SELECT COALESCE(SUM(points), 0) AS n FROM points_entries"
        " WHERE member_id = 1 AND kind = 'used' AND course_registration_id = ?",
        [rows[0]["id"]],
    )["n"]
    return points == _most_points(world)


def goal_says_the_rest_in_money(world) -> bool:
    """Has told what is left to be paid in money, without the knife."""
    return world.report.says("rest_in_money", _course(world)["member_fee_cents"] - round(_most_points(world) * 150))


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but one new registration and points set against it."""
    new = [
        change["after"]["id"]
        for change in world.changes
        if change["table"] == "course_registrations" and change["before"] is None
    ]
    for change in world.changes:
        after = change["after"]
        if change["before"] is not None:
            return False
        if change["table"] == "course_registrations":
            if after["member_id"] != 1 or after["course_id"] != _course(world)["id"]:
                return False
        elif change["table"] == "points_entries":
            if after["member_id"] != 1 or after["kind"] != "used" or after["course_registration_id"] not in new:
                return False
        else:
            return False
    return len(new) <= 1


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, and for no rule as a reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None

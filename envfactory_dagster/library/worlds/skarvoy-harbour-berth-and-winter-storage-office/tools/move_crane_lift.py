from datetime import datetime, timedelta

MOVE_CRANE_LIFT_LEAD_HOURS = 24
MOVE_CRANE_LIFT_MOST_LIFTS = 4
MOVE_CRANE_LIFT_SPARE_DEPTH_CM = 20
MOVE_CRANE_LIFT_MOST_WEIGHT_KG = 6500


def _move_crane_lift_check(env, boat, window):
    earliest = datetime.fromisoformat(env.now) + timedelta(hours=MOVE_CRANE_LIFT_LEAD_HOURS)
    if datetime.fromisoformat(window["starts_at"]) < earliest:
        raise env.Error("a lift can be booked only in a tide window that starts at least 24 hours later")
    if boat["weight_kg"] > MOVE_CRANE_LIFT_MOST_WEIGHT_KG:
        raise env.Error(
            f"{boat['name']} weighs {boat['weight_kg']} kg; the crane lifts at most 6500 kg"
        )
    needed = boat["draught_cm"] + MOVE_CRANE_LIFT_SPARE_DEPTH_CM
    if window["water_depth_cm"] < needed:
        raise env.Error(
            f"there is too little water in that tide window: {boat['name']} needs {needed} cm, "
            f"it has {window['water_depth_cm']} cm"
        )
    present = env.one(
        """
        SELECT id FROM crane_lifts
        WHERE boat_id = ? AND tide_window_id = ? AND status IN ('booked', 'done')
        """,
        [boat["id"], window["id"]],
    )
    if present is not None:
        raise env.Error(f"{boat['name']} already has a lift in that tide window")
    booked = env.one(
        "SELECT COUNT(*) AS n FROM crane_lifts WHERE tide_window_id = ? AND status = 'booked'",
        [window["id"]],
    )["n"]
    if booked >= MOVE_CRANE_LIFT_MOST_LIFTS:
        raise env.Error(f"that tide window already has {booked} booked lifts and is full")


def move_crane_lift(env, *, crane_lift_id: int, tide_window_id: int) -> dict:
    """Move a booked lift of one of the user's boats to another tide window."""
    lift = env.one(
        """
        SELECT c.id, c.boat_id, c.direction, c.status, c.booked_at, c.cancelled_at,
               o.name AS boat_name, o.draught_cm, o.weight_kg, w.starts_at AS present_start
        FROM crane_lifts c
        JOIN boats o ON o.id = c.boat_id
        JOIN tide_windows w ON w.id = c.tide_window_id
        WHERE c.id = ? AND o.boat_owner_id = ?
        """,
        [crane_lift_id, env.user_id],
    )
    if lift is None:
        raise env.Error(f"you have no crane lift {crane_lift_id}")
    window = env.one(
        "SELECT id, starts_at, ends_at, water_depth_cm FROM tide_windows WHERE id = ?",
        [tide_window_id],
    )
    if window is None:
        raise env.Error(f"there is no tide window {tide_window_id}")
    if lift["status"] != "booked":
        raise env.Error(f"only a booked lift can be moved; this one is {lift['status']}")
    if lift["present_start"] <= env.now:
        raise env.Error("the tide window of this lift has already started")
    boat = {
        "id": lift["boat_id"],
        "name": lift["boat_name"],
        "draught_cm": lift["draught_cm"],
        "weight_kg": lift["weight_kg"],
    }
    _move_crane_lift_check(env, boat, window)
    env.execute(
        "UPDATE crane_lifts SET tide_window_id = ? WHERE id = ?", [tide_window_id, crane_lift_id]
    )
    return {
        "crane_lift": {
            "id": lift["id"],
            "boat_id": lift["boat_id"],
            "boat_name": lift["boat_name"],
            "tide_window_id": window["id"],
            "starts_at": window["starts_at"],
            "ends_at": window["ends_at"],
            "direction": lift["direction"],
            "status": lift["status"],
            "booked_at": lift["booked_at"],
            "cancelled_at": lift["cancelled_at"],
        }
    }

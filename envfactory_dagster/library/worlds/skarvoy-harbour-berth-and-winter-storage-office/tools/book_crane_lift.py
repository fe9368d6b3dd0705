from datetime import datetime, timedelta

BOOK_CRANE_LIFT_LEAD_HOURS = 24
BOOK_CRANE_LIFT_MOST_LIFTS = 4
BOOK_CRANE_LIFT_SPARE_DEPTH_CM = 20
BOOK_CRANE_LIFT_MOST_WEIGHT_KG = 6500


def _book_crane_lift_check(env, boat, window):
    earliest = datetime.fromisoformat(env.now) + timedelta(hours=BOOK_CRANE_LIFT_LEAD_HOURS)
    if datetime.fromisoformat(window["starts_at"]) < earliest:
        raise env.Error("a lift can be booked only in a tide window that starts at least 24 hours later")
    if boat["weight_kg"] > BOOK_CRANE_LIFT_MOST_WEIGHT_KG:
        raise env.Error(
            f"{boat['name']} weighs {boat['weight_kg']} kg; the crane lifts at most 6500 kg"
        )
    needed = boat["draught_cm"] + BOOK_CRANE_LIFT_SPARE_DEPTH_CM
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
    if booked >= BOOK_CRANE_LIFT_MOST_LIFTS:
        raise env.Error(f"that tide window already has {booked} booked lifts and is full")


def book_crane_lift(env, *, boat_id: int, tide_window_id: int, direction: str) -> dict:
    """Book a crane lift for one of the user's boats in a tide window."""
    boat = env.one(
        "SELECT id, name, draught_cm, weight_kg FROM boats WHERE id = ? AND boat_owner_id = ?",
        [boat_id, env.user_id],
    )
    if boat is None:
        raise env.Error(f"you have no boat {boat_id}")
    window = env.one(
        "SELECT id, starts_at, ends_at, water_depth_cm FROM tide_windows WHERE id = ?",
        [tide_window_id],
    )
    if window is None:
        raise env.Error(f"there is no tide window {tide_window_id}")
    if direction not in ("into_water", "out_of_water"):
        raise env.Error("the direction is either into_water or out_of_water")
    _book_crane_lift_check(env, boat, window)
    lift_id = env.insert(
        """
        INSERT INTO crane_lifts (boat_id, tide_window_id, direction, status, booked_at, cancelled_at)
        VALUES (?, ?, ?, 'booked', ?, NULL)
        """,
        [boat_id, tide_window_id, direction, env.now],
    )
    return {
        "crane_lift": {
            "id": lift_id,
            "boat_id": boat["id"],
            "boat_name": boat["name"],
            "tide_window_id": window["id"],
            "starts_at": window["starts_at"],
            "ends_at": window["ends_at"],
            "direction": direction,
            "status": "booked",
            "booked_at": env.now,
            "cancelled_at": None,
        }
    }

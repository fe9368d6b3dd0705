def cancel_crane_lift(env, *, crane_lift_id: int) -> dict:
    """Cancel a booked lift of one of the user's boats for good."""
    lift = env.one(
        """
        SELECT c.id, c.boat_id, o.name AS boat_name, c.tide_window_id, w.starts_at, w.ends_at,
               c.direction, c.status, c.booked_at, c.cancelled_at
        FROM crane_lifts c
        JOIN boats o ON o.id = c.boat_id
        JOIN tide_windows w ON w.id = c.tide_window_id
        WHERE c.id = ? AND o.boat_owner_id = ?
        """,
        [crane_lift_id, env.user_id],
    )
    if lift is None:
        raise env.Error(f"you have no crane lift {crane_lift_id}")
    if lift["status"] != "booked":
        raise env.Error(f"only a booked lift can be cancelled; this one is {lift['status']}")
    if lift["starts_at"] <= env.now:
        raise env.Error("the tide window of this lift has already started")
    env.execute(
        "UPDATE crane_lifts SET status = 'cancelled', cancelled_at = ? WHERE id = ?",
        [env.now, crane_lift_id],
    )
    result = dict(lift)
    result["status"] = "cancelled"
    result["cancelled_at"] = env.now
    return {"crane_lift": result}

def list_my_crane_lifts(env, *, boat_id: int = None, status: str = None) -> dict:
    """List the crane lifts of the user's own boats in order of their tide window."""
    if boat_id is not None:
        own = env.one(
            "SELECT id FROM boats WHERE id = ? AND boat_owner_id = ?", [boat_id, env.user_id]
        )
        if own is None:
            raise env.Error(f"you have no boat {boat_id}")
    lifts = env.query(
        """
        SELECT c.id, c.boat_id, o.name AS boat_name, c.tide_window_id, w.starts_at, w.ends_at,
               c.direction, c.status, c.booked_at, c.cancelled_at
        FROM crane_lifts c
        JOIN boats o ON o.id = c.boat_id
        JOIN tide_windows w ON w.id = c.tide_window_id
        WHERE o.boat_owner_id = :user_id
          AND (:boat_id IS NULL OR c.boat_id = :boat_id)
          AND (:status IS NULL OR c.status = :status)
        ORDER BY w.starts_at, c.id
        """,
        {"user_id": env.user_id, "boat_id": boat_id, "status": status},
    )
    return {"crane_lifts": lifts}

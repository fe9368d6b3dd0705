def list_my_berth_leases(env, *, boat_id: int = None, status: str = None) -> dict:
    """Lists the leases of the user's own boats in order of their first day."""
    if boat_id is not None:
        boat = env.one(
            "SELECT id FROM boats WHERE id = :boat_id AND boat_owner_id = :boat_owner_id",
            {"boat_id": boat_id, "boat_owner_id": env.user_id},
        )
        if boat is None:
            raise env.Error(f"you have no boat {boat_id}")
    rows = env.query(
        """
        SELECT l.id, l.boat_id, o.name AS boat_name, l.berth_id, b.code AS berth_code, l.first_day, l.last_day,
               l.price_cents, l.status, l.requested_at, l.ended_at
        FROM berth_leases l
        JOIN boats o ON o.id = l.boat_id
        JOIN berths b ON b.id = l.berth_id
        WHERE o.boat_owner_id = :boat_owner_id
          AND (:boat_id IS NULL OR l.boat_id = :boat_id)
          AND (:status IS NULL OR l.status = :status)
        ORDER BY l.first_day, l.id
        """,
        {"boat_owner_id": env.user_id, "boat_id": boat_id, "status": status},
    )
    return {"berth_leases": [dict(row) for row in rows]}

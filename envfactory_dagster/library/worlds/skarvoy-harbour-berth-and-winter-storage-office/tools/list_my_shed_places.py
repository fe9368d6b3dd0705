def list_my_shed_places(env, *, boat_id: int = None, status: str = None) -> dict:
    """List the shed places of the user's own boats in order of their first day."""
    if boat_id is not None:
        own = env.one(
            "SELECT id FROM boats WHERE id = ? AND boat_owner_id = ?", [boat_id, env.user_id]
        )
        if own is None:
            raise env.Error(f"you have no boat {boat_id}")
    places = env.query(
        """
        SELECT p.id, p.boat_id, o.name AS boat_name, p.shed_bay_id, b.code AS bay_code,
               p.first_day, p.last_day, p.price_cents, p.status, p.reserved_at, p.released_at
        FROM shed_places p
        JOIN boats o ON o.id = p.boat_id
        JOIN shed_bays b ON b.id = p.shed_bay_id
        WHERE o.boat_owner_id = :user_id
          AND (:boat_id IS NULL OR p.boat_id = :boat_id)
          AND (:status IS NULL OR p.status = :status)
        ORDER BY p.first_day, p.id
        """,
        {"user_id": env.user_id, "boat_id": boat_id, "status": status},
    )
    return {"shed_places": places}

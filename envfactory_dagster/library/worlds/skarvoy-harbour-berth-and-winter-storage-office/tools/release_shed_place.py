def release_shed_place(env, *, shed_place_id: int) -> dict:
    """Release a reserved or occupied shed place of one of the user's own boats for good."""
    place = env.one(
        """
        SELECT p.id, p.boat_id, o.name AS boat_name, p.shed_bay_id, b.code AS bay_code,
               p.first_day, p.last_day, p.price_cents, p.status, p.reserved_at, p.released_at
        FROM shed_places p
        JOIN boats o ON o.id = p.boat_id
        JOIN shed_bays b ON b.id = p.shed_bay_id
        WHERE p.id = ? AND o.boat_owner_id = ?
        """,
        [shed_place_id, env.user_id],
    )
    if place is None:
        raise env.Error(f"you have no shed place {shed_place_id}")
    if place["status"] == "released":
        raise env.Error("this shed place has already been released")
    env.execute(
        "UPDATE shed_places SET status = 'released', released_at = ? WHERE id = ?",
        [env.now, shed_place_id],
    )
    result = dict(place)
    result["status"] = "released"
    result["released_at"] = env.now
    return {"shed_place": result}

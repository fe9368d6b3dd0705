def list_my_boats(env) -> dict:
    """Lists the user as boat owner and the user's own boats by name."""
    owner = env.one(
        "SELECT id, name FROM boat_owners WHERE id = :boat_owner_id", {"boat_owner_id": env.user_id}
    )
    if owner is None:
        raise env.Error("you are not known to the harbour as a boat owner")
    boats = env.query(
        """
        SELECT id, name, length_cm, beam_cm, draught_cm, weight_kg FROM boats
        WHERE boat_owner_id = :boat_owner_id
        ORDER BY name, id
        """,
        {"boat_owner_id": env.user_id},
    )
    return {"boat_owner": dict(owner), "boats": [dict(row) for row in boats]}

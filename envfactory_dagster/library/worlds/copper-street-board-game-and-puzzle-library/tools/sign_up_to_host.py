def sign_up_to_host(env, *, club_evening_id: int) -> dict:
    """Sign the user up as host of a planned club evening."""
    evening = env.one(
        "SELECT id, starts_at, status FROM club_evenings WHERE id = ?", [club_evening_id]
    )
    if evening is None:
        raise env.Error(f"there is no club evening {club_evening_id}")
    if evening["status"] != "planned":
        raise env.Error(f"only a planned evening can be hosted; this one is {evening['status']}")
    if evening["starts_at"] <= env.now:
        raise env.Error("this evening has already started")
    host = env.one(
        """
        SELECT id, member_id FROM hosting_turns
        WHERE club_evening_id = ? AND status IN ('signed_up', 'carried_out')
        """,
        [club_evening_id],
    )
    if host is not None:
        if host["member_id"] == env.user_id:
            raise env.Error("you are already the host of this evening")
        raise env.Error("this evening already has a host")
    turn_id = env.insert(
        """
        INSERT INTO hosting_turns (member_id, club_evening_id, status, signed_up_at, given_back_at)
        VALUES (?, ?, 'signed_up', ?, NULL)
        """,
        [env.user_id, club_evening_id, env.now],
    )
    return {
        "hosting_turn": {
            "id": turn_id,
            "club_evening_id": evening["id"],
            "starts_at": evening["starts_at"],
            "status": "signed_up",
            "signed_up_at": env.now,
            "given_back_at": None,
        }
    }

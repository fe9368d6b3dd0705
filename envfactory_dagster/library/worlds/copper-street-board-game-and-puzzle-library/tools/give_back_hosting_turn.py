def give_back_hosting_turn(env, *, hosting_turn_id: int) -> dict:
    """Give back the user's own hosting turn, so that the evening needs a host again."""
    turn = env.one(
        """
        SELECT h.id, h.club_evening_id, e.starts_at, h.status, h.signed_up_at, h.given_back_at
        FROM hosting_turns h
        JOIN club_evenings e ON e.id = h.club_evening_id
        WHERE h.id = ? AND h.member_id = ?
        """,
        [hosting_turn_id, env.user_id],
    )
    if turn is None:
        raise env.Error(f"you have no hosting turn {hosting_turn_id}")
    if turn["status"] == "given_back":
        raise env.Error("this turn has already been given back")
    if turn["status"] != "signed_up":
        raise env.Error("this turn has already been carried out")
    if turn["starts_at"] <= env.now:
        raise env.Error("the evening of this turn has already started")
    env.execute(
        "UPDATE hosting_turns SET status = 'given_back', given_back_at = ? WHERE id = ? AND member_id = ?",
        [env.now, hosting_turn_id, env.user_id],
    )
    result = dict(turn)
    result["status"] = "given_back"
    result["given_back_at"] = env.now
    return {"hosting_turn": result}

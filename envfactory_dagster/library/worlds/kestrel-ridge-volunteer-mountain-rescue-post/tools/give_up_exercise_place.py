def give_up_exercise_place(env, *, exercise_place_id: int) -> dict:
    """Give up the user's own taken exercise place."""
    place = env.one(
        """
        SELECT p.id, p.exercise_id, e.name AS exercise_name, e.starts_at, p.status, p.taken_at,
               p.given_up_at
        FROM exercise_places p
        JOIN exercises e ON e.id = p.exercise_id
        WHERE p.id = ? AND p.member_id = ?
        """,
        [exercise_place_id, env.user_id],
    )
    if place is None:
        raise env.Error(f"you have no exercise place {exercise_place_id}")
    if place["status"] == "given_up":
        raise env.Error("this exercise place has already been given up")
    if place["status"] != "taken":
        raise env.Error(f"this exercise is over; your place is recorded as {place['status']}")
    if place["starts_at"] <= env.now:
        raise env.Error("the exercise has already started")
    env.execute(
        """
        UPDATE exercise_places SET status = 'given_up', given_up_at = ?
        WHERE id = ? AND member_id = ?
        """,
        [env.now, exercise_place_id, env.user_id],
    )
    result = dict(place)
    result["status"] = "given_up"
    result["given_up_at"] = env.now
    return {"exercise_place": result}

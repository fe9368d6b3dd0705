from datetime import datetime, timedelta

TAKE_EXERCISE_PLACE_NOTICE_HOURS = 48
TAKE_EXERCISE_PLACE_MOST_TO_COME = 3


def take_exercise_place(env, *, exercise_id: int) -> dict:
    """Take a place for the user on a planned exercise."""
    exercise = env.one(
        "SELECT id, name, starts_at, most_places, status FROM exercises WHERE id = ?",
        [exercise_id],
    )
    if exercise is None:
        raise env.Error(f"there is no exercise {exercise_id}")
    if exercise["status"] != "planned":
        raise env.Error(
            f"places can be taken only on planned exercises; this one is {exercise['status']}"
        )
    latest = datetime.fromisoformat(exercise["starts_at"]) - timedelta(
        hours=TAKE_EXERCISE_PLACE_NOTICE_HOURS
    )
    if datetime.fromisoformat(env.now) > latest:
        raise env.Error("a place can be taken only until 48 hours before the exercise starts")
    present = env.one(
        """
        SELECT id FROM exercise_places
        WHERE exercise_id = ? AND member_id = ? AND status <> 'given_up'
        """,
        [exercise_id, env.user_id],
    )
    if present is not None:
        raise env.Error("you already have a place on this exercise")
    taken = env.one(
        "SELECT COUNT(*) AS n FROM exercise_places WHERE exercise_id = ? AND status <> 'given_up'",
        [exercise_id],
    )["n"]
    if taken >= exercise["most_places"]:
        raise env.Error(f"all {exercise['most_places']} places on this exercise are taken")
    to_come = env.one(
        """
        SELECT COUNT(*) AS n
        FROM exercise_places p
        JOIN exercises e ON e.id = p.exercise_id
        WHERE p.member_id = ? AND p.status = 'taken' AND e.status = 'planned' AND e.starts_at > ?
        """,
        [env.user_id, env.now],
    )["n"]
    if to_come >= TAKE_EXERCISE_PLACE_MOST_TO_COME:
        raise env.Error(
            f"you already hold {to_come} places on exercises still to come; a further one needs "
            "fewer than 3"
        )
    place_id = env.insert(
        """
        INSERT INTO exercise_places (exercise_id, member_id, status, taken_at, given_up_at)
        VALUES (?, ?, 'taken', ?, NULL)
        """,
        [exercise_id, env.user_id, env.now],
    )
    return {
        "exercise_place": {
            "id": place_id,
            "exercise_id": exercise["id"],
            "exercise_name": exercise["name"],
            "starts_at": exercise["starts_at"],
            "status": "taken",
            "taken_at": env.now,
            "given_up_at": None,
        }
    }

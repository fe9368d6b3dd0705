from datetime import datetime, timedelta

GIVE_UP_SESSION_PLACE_NOTICE_HOURS = 24


def give_up_session_place(env, *, session_place_id: int) -> dict:
    """Gives up the user's own taken place, until 24 hours before the session starts."""
    place = env.one(
        "SELECT p.id, p.ringing_session_id, p.bell_id, p.status, s.starts_at "
        "FROM session_places p JOIN ringing_sessions s ON s.id = p.ringing_session_id "
        "WHERE p.id = :place_id AND p.ringer_id = :ringer_id",
        {"place_id": session_place_id, "ringer_id": env.user_id},
    )
    if place is None:
        raise env.Error(f"you have no session place {session_place_id}")
    if place["status"] == "given_up":
        raise env.Error(f"your session place {session_place_id} has already been given up")
    if place["status"] != "taken":
        raise env.Error(f"your session place {session_place_id} is marked as rung and can no longer be given up")
    latest = datetime.fromisoformat(place["starts_at"]) - timedelta(hours=GIVE_UP_SESSION_PLACE_NOTICE_HOURS)
    if datetime.fromisoformat(env.now) > latest:
        raise env.Error(
            "a place can be given up only until 24 hours before the session starts, "
            f"and this one starts at {place['starts_at']}"
        )
    env.execute(
        "UPDATE session_places SET status = 'given_up', given_up_at = :now "
        "WHERE id = :place_id AND ringer_id = :ringer_id",
        {"now": env.now, "place_id": session_place_id, "ringer_id": env.user_id},
    )
    row = env.one(
        "SELECT p.id, p.ringing_session_id, p.bell_id, b.number AS bell_number, p.status, p.taken_at, p.given_up_at "
        "FROM session_places p JOIN bells b ON b.id = p.bell_id WHERE p.id = :place_id",
        {"place_id": session_place_id},
    )
    return {"session_place": dict(row)}

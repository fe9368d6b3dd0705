from datetime import datetime, timedelta

MOVE_SESSION_PLACE_NOTICE_HOURS = 24


def _move_session_place_tenor_minutes(env, session_id, starts_at, length_minutes):
    row = env.one(
        """
        SELECT COALESCE(SUM(s.length_minutes), 0) AS minutes
        FROM ringing_sessions s
        WHERE substr(s.starts_at, 1, 10) = :day
          AND s.id <> :session_id
          AND s.status <> 'cancelled'
          AND EXISTS (
              SELECT 1 FROM session_places p
              JOIN bells b ON b.id = p.bell_id
              WHERE p.ringing_session_id = s.id AND b.is_tenor = 1
                AND p.status IN ('taken', 'rung')
          )
        """,
        {"day": starts_at[:10], "session_id": session_id},
    )
    return row["minutes"] + length_minutes


def move_session_place(env, *, session_place_id: int, bell_id: int) -> dict:
    """Move the user's own taken place to another free bell of the same session."""
    place = env.one(
        """
        SELECT p.id, p.ringing_session_id, p.bell_id, p.status, p.taken_at, p.given_up_at,
               s.starts_at, s.length_minutes, s.status AS session_status
        FROM session_places p
        JOIN ringing_sessions s ON s.id = p.ringing_session_id
        WHERE p.id = ? AND p.ringer_id = ?
        """,
        [session_place_id, env.user_id],
    )
    if place is None:
        raise env.Error(f"you have no session place {session_place_id}")
    bell = env.one(
        "SELECT id, number, is_tenor, daily_minutes FROM bells WHERE id = ?", [bell_id]
    )
    if bell is None:
        raise env.Error(f"there is no bell {bell_id}")
    if place["status"] != "taken":
        raise env.Error("only a place that is still taken can be moved to another bell")
    if place["session_status"] != "open":
        raise env.Error(
            f"places can only be moved in open sessions; this one is {place['session_status']}"
        )
    latest = datetime.fromisoformat(place["starts_at"]) - timedelta(hours=MOVE_SESSION_PLACE_NOTICE_HOURS)
    if datetime.fromisoformat(env.now) > latest:
        raise env.Error("a place can be moved only until 24 hours before the session starts")
    occupied = env.one(
        """
        SELECT id FROM session_places
        WHERE ringing_session_id = ? AND bell_id = ? AND status IN ('taken', 'rung')
        """,
        [place["ringing_session_id"], bell_id],
    )
    if occupied is not None:
        if occupied["id"] == place["id"]:
            raise env.Error(f"your place is already at bell number {bell['number']}")
        raise env.Error(f"bell number {bell['number']} is already taken in this session")
    if bell["is_tenor"] == 1:
        minutes = _move_session_place_tenor_minutes(
            env, place["ringing_session_id"], place["starts_at"], place["length_minutes"]
        )
        if minutes > bell["daily_minutes"]:
            raise env.Error(
                f"the tenor would be rung for {minutes} minutes on that day; "
                f"at most {bell['daily_minutes']} are allowed"
            )
    env.execute(
        "UPDATE session_places SET bell_id = ? WHERE id = ? AND ringer_id = ?",
        [bell_id, session_place_id, env.user_id],
    )
    return {
        "session_place": {
            "id": place["id"],
            "ringing_session_id": place["ringing_session_id"],
            "bell_id": bell["id"],
            "bell_number": bell["number"],
            "status": place["status"],
            "taken_at": place["taken_at"],
            "given_up_at": place["given_up_at"],
        }
    }

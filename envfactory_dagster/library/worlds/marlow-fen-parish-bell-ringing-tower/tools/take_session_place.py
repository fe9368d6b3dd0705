TAKE_SESSION_PLACE_FULL_MEMBER_SIGN_OFFS = 3


def _take_session_place_tenor_minutes(env, session):
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
        {"day": session["starts_at"][:10], "session_id": session["id"]},
    )
    return row["minutes"] + session["length_minutes"]


def take_session_place(env, *, ringing_session_id: int, bell_id: int) -> dict:
    """Take a place for the user at a free bell in an open session."""
    session = env.one(
        "SELECT id, kind, starts_at, length_minutes, status FROM ringing_sessions WHERE id = ?",
        [ringing_session_id],
    )
    if session is None:
        raise env.Error(f"there is no ringing session {ringing_session_id}")
    bell = env.one(
        "SELECT id, number, is_tenor, daily_minutes FROM bells WHERE id = ?", [bell_id]
    )
    if bell is None:
        raise env.Error(f"there is no bell {bell_id}")
    if session["status"] != "open":
        raise env.Error(
            f"places can only be taken in open sessions; this one is {session['status']}"
        )
    if session["starts_at"] <= env.now:
        raise env.Error("this session has already started")
    if session["kind"] == "wedding":
        granted = env.one(
            "SELECT COUNT(*) AS n FROM method_sign_offs WHERE ringer_id = ? AND status = 'granted'",
            [env.user_id],
        )["n"]
        if granted < TAKE_SESSION_PLACE_FULL_MEMBER_SIGN_OFFS:
            raise env.Error(
                "only full members, with at least 3 granted method sign-offs, can ring at a "
                f"wedding; you have {granted}"
            )
    mine = env.one(
        """
        SELECT id FROM session_places
        WHERE ringing_session_id = ? AND ringer_id = ? AND status IN ('taken', 'rung')
        """,
        [ringing_session_id, env.user_id],
    )
    if mine is not None:
        raise env.Error("you already have a place in this session")
    occupied = env.one(
        """
        SELECT id FROM session_places
        WHERE ringing_session_id = ? AND bell_id = ? AND status IN ('taken', 'rung')
        """,
        [ringing_session_id, bell_id],
    )
    if occupied is not None:
        raise env.Error(f"bell number {bell['number']} is already taken in this session")
    if bell["is_tenor"] == 1:
        minutes = _take_session_place_tenor_minutes(env, session)
        if minutes > bell["daily_minutes"]:
            raise env.Error(
                f"the tenor would be rung for {minutes} minutes on that day; "
                f"at most {bell['daily_minutes']} are allowed"
            )
    place_id = env.insert(
        """
        INSERT INTO session_places (ringing_session_id, ringer_id, bell_id, status, taken_at, given_up_at)
        VALUES (?, ?, ?, 'taken', ?, NULL)
        """,
        [ringing_session_id, env.user_id, bell_id, env.now],
    )
    return {
        "session_place": {
            "id": place_id,
            "ringing_session_id": ringing_session_id,
            "bell_id": bell_id,
            "bell_number": bell["number"],
            "status": "taken",
            "taken_at": env.now,
            "given_up_at": None,
        }
    }

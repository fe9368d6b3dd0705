def _list_induction_places_show(env, induction_place_id):
    return env.one(
        """SELECT p.id AS induction_place_id, p.induction_session_id, se.induction_type_id,
                  t.name AS induction_type_name, se.kind, se.starts_at, se.ends_at, p.status,
                  p.price_cents, p.booked_at, p.cancelled_at
           FROM induction_places p JOIN induction_sessions se ON se.id = p.induction_session_id
           JOIN induction_types t ON t.id = se.induction_type_id
           WHERE p.id = ? AND p.member_id = ?""", [induction_place_id, env.user_id])


def _book_induction_place_session(env, induction_session_id):
    row = env.one("SELECT * FROM induction_sessions WHERE id = ?", [induction_session_id])
    if row is None:
        raise env.Error("there is no induction session with the id " + str(induction_session_id))
    return row


def _book_induction_place_check(env, session):
    """The session is still to come, has a free place, and the user is not in it."""
    if session["starts_at"] <= env.now:
        raise env.Error("that session has already begun")
    if env.one("""SELECT id FROM induction_places WHERE induction_session_id = ? AND member_id = ?
                  AND status <> 'cancelled'""", [session["id"], env.user_id]) is not None:
        raise env.Error("you already have a place in that session")
    taken = env.one("""SELECT COUNT(*) AS n FROM induction_places WHERE induction_session_id = ?
                       AND status <> 'cancelled'""", [session["id"]])
    if taken["n"] >= session["places"]:
        raise env.Error("that session is full")


def _move_induction_place_row(env, induction_place_id):
    row = env.one("SELECT * FROM induction_places WHERE id = ? AND member_id = ?",
                  [induction_place_id, env.user_id])
    if row is None:
        raise env.Error("you have no place with the id " + str(induction_place_id) + " in an induction session")
    return row


def move_induction_place(env, *, induction_place_id: int, induction_session_id: int) -> dict:
    """Moves a booked place to another session of the same induction and kind."""
    place = _move_induction_place_row(env, induction_place_id)
    if place["status"] != "booked":
        raise env.Error("only a booked place can be moved")
    old = _book_induction_place_session(env, place["induction_session_id"])
    session = _book_induction_place_session(env, induction_session_id)
    if old["starts_at"] <= env.now:
        raise env.Error("the session of that place has already begun")
    if session["induction_type_id"] != old["induction_type_id"] or session["kind"] != old["kind"]:
        raise env.Error("the new session must be for the same induction and of the same kind")
    _book_induction_place_check(env, session)
    if env.one("""SELECT id FROM bookings WHERE member_id = ? AND induction_place_id = ?
                  AND status = 'provisional' AND starts_at < ? LIMIT 1""",
               [env.user_id, induction_place_id, session["ends_at"]]) is not None:
        raise env.Error("a provisional booking of yours depends on that place and starts before the new session ends")
    env.execute("UPDATE induction_places SET induction_session_id = ? WHERE id = ?",
                [induction_session_id, induction_place_id])
    return {"induction_place": _list_induction_places_show(env, induction_place_id)}

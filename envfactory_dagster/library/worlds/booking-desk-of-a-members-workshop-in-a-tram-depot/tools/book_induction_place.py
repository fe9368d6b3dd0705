from datetime import date, timedelta


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


def book_induction_place(env, *, induction_session_id: int) -> dict:
    """Books the user a place in an induction session."""
    session = _book_induction_place_session(env, induction_session_id)
    _book_induction_place_check(env, session)
    if env.one("""SELECT p.id FROM induction_places p JOIN induction_sessions se ON se.id = p.induction_session_id
                  WHERE p.member_id = ? AND se.induction_type_id = ? AND p.status = 'booked' LIMIT 1""",
               [env.user_id, session["induction_type_id"]]) is not None:
        raise env.Error("you already have a booked place for that induction")
    kind = env.one("SELECT * FROM induction_types WHERE id = ?", [session["induction_type_id"]])
    if session["kind"] == "refresher":
        held = env.one("SELECT valid_until FROM inductions WHERE member_id = ? AND induction_type_id = ?",
                       [env.user_id, kind["id"]])
        if held is None:
            raise env.Error("a refresher is for those who have passed the induction before")
        latest = date.fromisoformat(held["valid_until"]) + timedelta(days=60)
        if session["starts_at"][:10] > latest.isoformat():
            raise env.Error("by then your induction has expired for more than 60 days; take the full induction")
    price_cents = kind["price_cents"] if session["kind"] == "full" else kind["refresher_price_cents"]
    place_id = env.insert(
        """INSERT INTO induction_places (induction_session_id, member_id, status, price_cents, booked_at)
           VALUES (?, ?, 'booked', ?, ?)""", [induction_session_id, env.user_id, price_cents, env.now])
    return {"induction_place": _list_induction_places_show(env, place_id)}

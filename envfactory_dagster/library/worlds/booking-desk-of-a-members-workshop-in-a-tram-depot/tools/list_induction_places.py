def _list_induction_places_show(env, induction_place_id):
    return env.one(
        """SELECT p.id AS induction_place_id, p.induction_session_id, se.induction_type_id,
                  t.name AS induction_type_name, se.kind, se.starts_at, se.ends_at, p.status,
                  p.price_cents, p.booked_at, p.cancelled_at
           FROM induction_places p JOIN induction_sessions se ON se.id = p.induction_session_id
           JOIN induction_types t ON t.id = se.induction_type_id
           WHERE p.id = ? AND p.member_id = ?""", [induction_place_id, env.user_id])


def list_induction_places(env, *, status: str = None) -> dict:
    """Lists the user's places in induction sessions, by start."""
    rows = env.query(
        """SELECT p.id FROM induction_places p JOIN induction_sessions se ON se.id = p.induction_session_id
           WHERE p.member_id = :me AND (:status IS NULL OR p.status = :status) ORDER BY se.starts_at, p.id""",
        {"me": env.user_id, "status": status})
    return {"induction_places": [_list_induction_places_show(env, row["id"]) for row in rows]}

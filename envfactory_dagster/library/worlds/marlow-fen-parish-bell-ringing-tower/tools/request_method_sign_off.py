REQUEST_METHOD_SIGN_OFF_LEAST_PRACTICES = 4


def request_method_sign_off(env, *, method_id: int) -> dict:
    """Asks the captain to sign the user off in a method rung in at least 4 practices."""
    method = env.one("SELECT id, name FROM methods WHERE id = :method_id", {"method_id": method_id})
    if method is None:
        raise env.Error(f"there is no method {method_id}")
    granted = env.one(
        "SELECT id FROM method_sign_offs "
        "WHERE ringer_id = :ringer_id AND method_id = :method_id AND status = 'granted'",
        {"ringer_id": env.user_id, "method_id": method_id},
    )
    if granted is not None:
        raise env.Error(f"you have already been signed off in {method['name']}")
    undecided = env.one(
        "SELECT o.id, m.name AS method_name FROM method_sign_offs o JOIN methods m ON m.id = o.method_id "
        "WHERE o.ringer_id = :ringer_id AND o.status = 'requested'",
        {"ringer_id": env.user_id},
    )
    if undecided is not None:
        raise env.Error(
            f"your request to be signed off in {undecided['method_name']} is still undecided; "
            "there can be only one at a time"
        )
    practices = env.one(
        "SELECT COUNT(*) AS rung FROM session_places p JOIN ringing_sessions s ON s.id = p.ringing_session_id "
        "WHERE p.ringer_id = :ringer_id AND p.status = 'rung' AND s.kind = 'practice' AND s.method_id = :method_id",
        {"ringer_id": env.user_id, "method_id": method_id},
    )["rung"]
    if practices < REQUEST_METHOD_SIGN_OFF_LEAST_PRACTICES:
        raise env.Error(
            f"a sign-off in {method['name']} needs at least 4 practices of it marked as rung, and you have {practices}"
        )
    sign_off_id = env.insert(
        "INSERT INTO method_sign_offs (ringer_id, method_id, status, requested_at, decided_at) "
        "VALUES (:ringer_id, :method_id, 'requested', :now, NULL)",
        {"ringer_id": env.user_id, "method_id": method_id, "now": env.now},
    )
    row = env.one(
        "SELECT o.id, o.method_id, m.name AS method_name, o.status, o.requested_at, o.decided_at "
        "FROM method_sign_offs o JOIN methods m ON m.id = o.method_id WHERE o.id = :sign_off_id",
        {"sign_off_id": sign_off_id},
    )
    return {"method_sign_off": dict(row)}

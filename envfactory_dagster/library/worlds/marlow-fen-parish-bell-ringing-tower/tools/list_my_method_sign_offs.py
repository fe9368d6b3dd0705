def list_my_method_sign_offs(env, *, status: str = None) -> dict:
    """Lists the user's own method sign-offs in the order they were requested."""
    rows = env.query(
        "SELECT o.id, o.method_id, m.name AS method_name, o.status, o.requested_at, o.decided_at "
        "FROM method_sign_offs o JOIN methods m ON m.id = o.method_id "
        "WHERE o.ringer_id = :ringer_id AND (:status IS NULL OR o.status = :status) "
        "ORDER BY o.requested_at, o.id",
        {"ringer_id": env.user_id, "status": status},
    )
    return {"method_sign_offs": [dict(row) for row in rows]}

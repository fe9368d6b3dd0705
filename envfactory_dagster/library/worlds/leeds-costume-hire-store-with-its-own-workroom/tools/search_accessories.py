def search_accessories(env, *, text: str | None = None, kind: str | None = None) -> dict:
    """Finds accessories by words of their description or by kind."""
    rows = env.query(
        "SELECT id, description, kind, piece_id FROM accessories WHERE (:kind IS NULL OR kind = :kind) ORDER BY description, id",
        {"kind": kind},
    )
    words = [] if text is None else text.lower().split()
    return {"accessories": [row for row in rows if all(word in row["description"].lower() for word in words)]}

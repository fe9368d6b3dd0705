def search_titles(env, *, name: str = None, kind: str = None) -> dict:
    """Lists the titles that meet all the given conditions, by name and number of pieces."""
    rows = env.query(
        """
        SELECT id, name, kind, piece_count FROM titles
        WHERE (:name IS NULL OR instr(lower(name), lower(:name)) > 0)
          AND (:kind IS NULL OR kind = :kind)
        ORDER BY name, piece_count, id
        """,
        {"name": name, "kind": kind},
    )
    return {"titles": [dict(row) for row in rows]}

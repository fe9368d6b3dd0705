def search_sets(env, *, text: str | None = None) -> dict:
    """Finds sets by words of their name."""
    rows = env.query(
        "SELECT s.id, s.name, (SELECT COUNT(*) FROM pieces p WHERE p.set_id = s.id) AS piece_count FROM sets s ORDER BY s.name, s.id",
        [],
    )
    words = [] if text is None else text.lower().split()
    return {"sets": [row for row in rows if all(word in row["name"].lower() for word in words)]}

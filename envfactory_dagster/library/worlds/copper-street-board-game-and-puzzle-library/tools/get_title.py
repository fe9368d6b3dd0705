def get_title(env, *, title_id: int) -> dict:
    """Shows one title with its copies and how many holds on it are waiting."""
    title = env.one(
        "SELECT id, name, kind, piece_count FROM titles WHERE id = :title_id", {"title_id": title_id}
    )
    if title is None:
        raise env.Error(f"there is no title {title_id}")
    waiting = env.one(
        "SELECT COUNT(*) AS number FROM holds WHERE title_id = :title_id AND status = 'waiting'",
        {"title_id": title_id},
    )["number"]
    copies = env.query(
        """
        SELECT c.id, c.title_id, c.label, c.status,
               EXISTS (SELECT 1 FROM loans l WHERE l.copy_id = c.id AND l.status = 'out') AS is_out,
               EXISTS (SELECT 1 FROM holds h WHERE h.copy_id = c.id AND h.status = 'ready') AS is_kept_for_hold
        FROM copies c
        WHERE c.title_id = :title_id
        ORDER BY c.label, c.id
        """,
        {"title_id": title_id},
    )
    return {
        "id": title["id"],
        "name": title["name"],
        "kind": title["kind"],
        "piece_count": title["piece_count"],
        "waiting_holds": waiting,
        "copies": [
            {
                "id": row["id"],
                "title_id": row["title_id"],
                "label": row["label"],
                "status": row["status"],
                "is_out": bool(row["is_out"]),
                "is_kept_for_hold": bool(row["is_kept_for_hold"]),
            }
            for row in copies
        ],
    }

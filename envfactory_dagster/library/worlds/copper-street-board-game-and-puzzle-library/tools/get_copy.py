def get_copy(env, *, copy_id: int) -> dict:
    """Shows one copy with its title and the piece reports on it."""
    copy = env.one(
        """
        SELECT c.id, c.title_id, c.label, c.status, t.name AS title_name, t.kind,
               EXISTS (SELECT 1 FROM loans l WHERE l.copy_id = c.id AND l.status = 'out') AS is_out,
               EXISTS (SELECT 1 FROM holds h WHERE h.copy_id = c.id AND h.status = 'ready') AS is_kept_for_hold
        FROM copies c
        JOIN titles t ON t.id = c.title_id
        WHERE c.id = :copy_id
        """,
        {"copy_id": copy_id},
    )
    if copy is None:
        raise env.Error(f"there is no copy {copy_id}")
    reports = env.query(
        """
        SELECT r.id, r.copy_id, c.label, t.name AS title_name, r.piece, r.pieces_missing, r.status,
               r.reported_at, r.resolved_at
        FROM piece_reports r
        JOIN copies c ON c.id = r.copy_id
        JOIN titles t ON t.id = c.title_id
        WHERE r.copy_id = :copy_id
        ORDER BY r.reported_at, r.id
        """,
        {"copy_id": copy_id},
    )
    return {
        "id": copy["id"],
        "title_id": copy["title_id"],
        "label": copy["label"],
        "status": copy["status"],
        "is_out": bool(copy["is_out"]),
        "is_kept_for_hold": bool(copy["is_kept_for_hold"]),
        "title_name": copy["title_name"],
        "kind": copy["kind"],
        "piece_reports": [dict(row) for row in reports],
    }

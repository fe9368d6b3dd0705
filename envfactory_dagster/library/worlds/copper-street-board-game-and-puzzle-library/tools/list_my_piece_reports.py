def list_my_piece_reports(env, *, status: str = None) -> dict:
    """List the piece reports made for the user's own loans."""
    reports = env.query(
        """
        SELECT r.id, r.copy_id, c.label, t.name AS title_name, r.piece, r.pieces_missing,
               r.status, r.reported_at, r.resolved_at
        FROM piece_reports r
        JOIN copies c ON c.id = r.copy_id
        JOIN titles t ON t.id = c.title_id
        JOIN loans l ON l.id = r.loan_id
        WHERE l.member_id = :user_id
          AND (:status IS NULL OR r.status = :status)
        ORDER BY r.reported_at, r.id
        """,
        {"user_id": env.user_id, "status": status},
    )
    return {"piece_reports": reports}

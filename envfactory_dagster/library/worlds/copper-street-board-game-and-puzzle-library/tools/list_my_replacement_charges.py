def list_my_replacement_charges(env, *, status: str = None) -> dict:
    """List the user's own replacement charges in the order they were charged."""
    charges = env.query(
        """
        SELECT g.id, g.piece_report_id, t.name AS title_name, r.piece, r.reported_at,
               g.amount_cents, g.status, g.charged_at, g.paid_at
        FROM replacement_charges g
        JOIN piece_reports r ON r.id = g.piece_report_id
        JOIN copies c ON c.id = r.copy_id
        JOIN titles t ON t.id = c.title_id
        WHERE g.member_id = :user_id
          AND (:status IS NULL OR g.status = :status)
        ORDER BY g.charged_at, g.id
        """,
        {"user_id": env.user_id, "status": status},
    )
    return {"replacement_charges": charges}

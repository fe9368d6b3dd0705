def list_piece_alterations(env, *, piece_id: int, status: str | None = None) -> dict:
    """Lists the alterations planned for or made to one piece."""
    if env.one("SELECT id FROM pieces WHERE id = ?", [piece_id]) is None:
        raise env.Error(f"there is no piece {piece_id}")
    alterations = env.query(
        "SELECT a.id, CASE WHEN EXISTS (SELECT 1 FROM hire_lines l JOIN hires h ON h.id = l.hire_id "
        "JOIN person_roles r ON r.customer_id = h.customer_id WHERE l.id = a.hire_line_id AND r.person_id = :user_id) "
        "THEN a.hire_line_id END AS hire_line_id, m.measure, a.from_inches, a.to_inches, a.quarter_hours, a.planned_for, "
        "a.status FROM alterations a JOIN piece_measurements m ON m.id = a.piece_measurement_id "
        "WHERE m.piece_id = :piece_id AND (:status IS NULL OR a.status = :status) ORDER BY a.planned_for, a.id",
        {"piece_id": piece_id, "status": status, "user_id": env.user_id},
    )
    return {"alterations": alterations}

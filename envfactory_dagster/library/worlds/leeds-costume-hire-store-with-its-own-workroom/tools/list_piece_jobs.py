def list_piece_jobs(env, *, piece_id: int, kind: str | None = None) -> dict:
    """Lists the cleaning and repair jobs on one piece."""
    if env.one("SELECT id FROM pieces WHERE id = ?", [piece_id]) is None:
        raise env.Error(f"there is no piece {piece_id}")
    jobs = env.query(
        "SELECT j.id, CASE WHEN EXISTS (SELECT 1 FROM hires h JOIN person_roles r ON r.customer_id = h.customer_id "
        "WHERE h.id = j.hire_id AND r.person_id = :user_id) THEN j.hire_id END AS hire_id, j.kind, j.description, "
        "j.reported_on, j.finished_on, j.back_on_rail_on, j.paid_by, j.status FROM cleaning_repair_jobs j "
        "WHERE j.piece_id = :piece_id AND (:kind IS NULL OR j.kind = :kind) ORDER BY j.reported_on DESC, j.id DESC",
        {"piece_id": piece_id, "kind": kind, "user_id": env.user_id},
    )
    return {"cleaning_repair_jobs": jobs}

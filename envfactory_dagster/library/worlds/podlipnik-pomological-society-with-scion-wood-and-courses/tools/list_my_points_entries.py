def list_my_points_entries(env, *, kind: str = None, first_day: str = None) -> dict:
    """Lists the entries in the member's points, oldest first."""
    rows = env.query(
        "SELECT e.id AS points_entry_id, e.kind, e.points, e.entered_on, w.work AS work_day, r.work AS point_rate, "
        "e.tree_reservation_id, e.course_registration_id "
        "FROM points_entries e LEFT JOIN work_days w ON w.id = e.work_day_id "
        "LEFT JOIN point_rates r ON r.id = e.point_rate_id "
        "WHERE e.member_id = :member_id AND (:kind IS NULL OR e.kind = :kind) "
        "AND (:first_day IS NULL OR e.entered_on >= :first_day) "
        "ORDER BY e.entered_on, e.id",
        {"member_id": env.user_id, "kind": kind, "first_day": first_day},
    )
    return {"points_entries": rows}

def list_my_course_registrations(env, *, status: str = None, course_id: int = None) -> dict:
    """Lists the member's course registrations, oldest first."""
    if course_id is not None:
        course = env.one("SELECT id FROM courses WHERE id = :course_id", {"course_id": course_id})
        if course is None:
            raise env.Error("There is no course with the id " + str(course_id) + ".")
    rows = env.query(
        "SELECT r.id AS course_registration_id, r.code, r.course_id, c.code AS course_code, c.title, c.held_on, "
        "r.participant_name, r.fee_kind, r.fee_cents, r.knife, r.status, r.registered_on, r.paid_on, "
        "r.cancelled_on, r.refund_cents, "
        "(SELECT COALESCE(SUM(e.points), 0) FROM points_entries e "
        "WHERE e.course_registration_id = r.id AND e.kind = 'used') AS points_set "
        "FROM course_registrations r JOIN courses c ON c.id = r.course_id "
        "WHERE r.member_id = :member_id AND (:status IS NULL OR r.status = :status) "
        "AND (:course_id IS NULL OR r.course_id = :course_id) "
        "ORDER BY r.registered_on, r.id",
        {"member_id": env.user_id, "status": status, "course_id": course_id},
    )
    for row in rows:
        left = row["fee_cents"] - round(row["points_set"] * 150)
        row["left_to_pay_cents"] = max(left, 0) if row["status"] == "awaiting payment" else 0
    return {"course_registrations": rows}

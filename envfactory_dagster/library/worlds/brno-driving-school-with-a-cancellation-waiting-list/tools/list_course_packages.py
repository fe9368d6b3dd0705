def list_course_packages(env, *, status: str = None) -> dict:
    """Lists the pupil's packages."""
    return {"course_packages": env.query(
        "SELECT id, instructor_id, kind, transmission, hours_included, price_cents, bought_at, first_lesson_on, expires_on, extended_at,"
        " free_move_used_at, instructor_yes_at, early_exam_agreed_at, status FROM course_packages WHERE pupil_id = :pupil"
        " AND (:status IS NULL OR status = :status) ORDER BY bought_at, id", {"pupil": env.user_id, "status": status})}

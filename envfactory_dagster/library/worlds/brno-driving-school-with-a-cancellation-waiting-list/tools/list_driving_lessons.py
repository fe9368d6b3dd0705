def list_driving_lessons(env, *, status: str = None, kind: str = None, first_day: str = None, last_day: str = None) -> dict:
    """Lists the pupil's own driving lessons."""
    return {"driving_lessons": env.query(
        "SELECT id, course_package_id, instructor_id, car_id, moved_from_driving_lesson_id, kind, starts_at, status, booked_at,"
        " cancelled_at, ended_by, confirmed_at, returned_hours FROM driving_lessons WHERE pupil_id = :pupil"
        " AND (:status IS NULL OR status = :status) AND (:kind IS NULL OR kind = :kind)"
        " AND (:first IS NULL OR substr(starts_at, 1, 10) >= :first) AND (:last IS NULL OR substr(starts_at, 1, 10) <= :last)"
        " ORDER BY starts_at, id",
        {"pupil": env.user_id, "status": status, "kind": kind, "first": first_day, "last": last_day})}

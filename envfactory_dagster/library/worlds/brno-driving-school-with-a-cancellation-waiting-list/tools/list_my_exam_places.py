def list_my_exam_places(env, *, status: str = None) -> dict:
    """Lists the pupil's own exam places."""
    return {"exam_places": env.query(
        "SELECT e.id, e.exam_block_id, e.status, e.pencilled_at, e.confirmed_at, e.withdrawn_at, b.calendar_day, b.kind, b.closes_at"
        " FROM exam_places e JOIN exam_blocks b ON b.id = e.exam_block_id WHERE e.pupil_id = :pupil"
        " AND (:status IS NULL OR e.status = :status) ORDER BY b.calendar_day, e.id", {"pupil": env.user_id, "status": status})}

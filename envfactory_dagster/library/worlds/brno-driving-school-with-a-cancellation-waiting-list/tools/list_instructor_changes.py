def list_instructor_changes(env) -> dict:
    """Lists the changes of instructor the pupil has asked for."""
    return {"instructor_changes": env.query(
        "SELECT id, course_package_id, from_instructor_id, to_instructor_id, asked_at, status FROM instructor_changes"
        " WHERE pupil_id = ? ORDER BY asked_at, id", [env.user_id])}

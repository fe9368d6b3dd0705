def list_instructors(env) -> dict:
    """Lists the instructors and how many pupils each has."""
    return {"instructors": env.query(
        "SELECT i.id, i.name, i.role, i.works_from, i.works_until, i.max_pupils, (SELECT COUNT(DISTINCT p.pupil_id)"
        " FROM course_packages p WHERE p.instructor_id = i.id AND p.status = 'active') AS current_pupils FROM instructors i ORDER BY i.id", [])}

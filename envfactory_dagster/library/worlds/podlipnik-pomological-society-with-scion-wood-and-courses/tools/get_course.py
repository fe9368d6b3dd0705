def get_course(env, *, course_id: int) -> dict:
    """Shows a course with what is included, its materials and its terms."""
    row = env.one(
        "SELECT c.id AS course_id, c.code, c.title, c.held_on, c.hours, c.venue, c.seats, "
        "(SELECT COUNT(*) FROM course_registrations r WHERE r.course_id = c.id "
        "AND r.status IN ('awaiting payment', 'held', 'attended')) AS seats_taken, "
        "MAX(0, 2 - (SELECT COUNT(*) FROM course_registrations r WHERE r.course_id = c.id "
        "AND r.knife = 'left-handed' AND r.status IN ('awaiting payment', 'held', 'attended'))) "
        "AS left_handed_knives_free, c.member_fee_cents, c.non_member_fee_cents, c.leads, c.included FROM courses c "
        "WHERE c.id = :course_id",
        {"course_id": course_id},
    )
    if row is None:
        raise env.Error("There is no course with the id " + str(course_id) + ".")
    included = row.pop("included")
    materials = env.query(
        "SELECT material, lot_id, variety_id FROM course_materials WHERE course_id = :course_id ORDER BY id",
        {"course_id": course_id},
    )
    terms = env.query(
        "SELECT t.topic, t.says FROM course_term_courses x JOIN course_terms t ON t.id = x.course_term_id "
        "WHERE x.course_id = :course_id ORDER BY t.id",
        {"course_id": course_id},
    )
    return {"course": row, "included": included, "materials": materials, "course_terms": terms}

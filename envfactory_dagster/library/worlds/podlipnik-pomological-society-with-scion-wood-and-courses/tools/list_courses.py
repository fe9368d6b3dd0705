def list_courses(env, *, first_day: str = None) -> dict:
    """Lists the courses of 2026 by day."""
    rows = env.query(
        "SELECT c.id AS course_id, c.code, c.title, c.held_on, c.hours, c.venue, c.seats, "
        "(SELECT COUNT(*) FROM course_registrations r WHERE r.course_id = c.id "
        "AND r.status IN ('awaiting payment', 'held', 'attended')) AS seats_taken, "
        "MAX(0, 2 - (SELECT COUNT(*) FROM course_registrations r WHERE r.course_id = c.id "
        "AND r.knife = 'left-handed' AND r.status IN ('awaiting payment', 'held', 'attended'))) "
        "AS left_handed_knives_free, c.member_fee_cents, c.non_member_fee_cents, c.leads FROM courses c "
        "WHERE (:first_day IS NULL OR c.held_on >= :first_day) ORDER BY c.held_on, c.id",
        {"first_day": first_day},
    )
    return {"courses": rows}

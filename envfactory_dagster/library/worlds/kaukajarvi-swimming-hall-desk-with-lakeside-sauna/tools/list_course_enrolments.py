def _desk_person(env, customer_id):
    """The user, or a child under 18 whose guardian the user is."""
    row = env.one(
        "SELECT id, name, birth_date, price_group FROM customers WHERE id = :c AND (id = :u OR (guardian_id = :u AND birth_date > date(:day, '-18 years')))",
        {"c": customer_id, "u": env.user_id, "day": env.now[:10]},
    )
    if row is None:
        raise env.Error(f"there is no customer {customer_id} who is you or a child you are guardian of")
    return row


def _desk_enrolment(env, course_enrolment_id):
    return env.one(
        "SELECT e.id, e.swimming_course_id, w.code AS course_code, w.badge_id, w.first_lesson_at, e.customer_id, c.name AS customer_name, e.enrolled_by_id, e.status, e.price_cents, e.enrolled_at, e.group_changed_at, e.cancelled_at FROM course_enrolments e JOIN swimming_courses w ON w.id = e.swimming_course_id JOIN customers c ON c.id = e.customer_id WHERE e.id = ?",
        [course_enrolment_id],
    )


def list_course_enrolments(env, *, customer_id: int | None = None, status: str | None = None) -> dict:
    """Lists the enrolments and queue places of the user and of their children."""
    if customer_id is not None:
        _desk_person(env, customer_id)
    rows = env.query(
        "SELECT e.id FROM course_enrolments e JOIN customers c ON c.id = e.customer_id JOIN swimming_courses w ON w.id = e.swimming_course_id WHERE (c.id = :u OR (c.guardian_id = :u AND c.birth_date > date(:day, '-18 years'))) AND (:c IS NULL OR c.id = :c) AND (:s IS NULL OR e.status = :s) ORDER BY w.first_lesson_at, e.id",
        {"u": env.user_id, "day": env.now[:10], "c": customer_id, "s": status},
    )
    return {"course_enrolments": [_desk_enrolment(env, row["id"]) for row in rows]}

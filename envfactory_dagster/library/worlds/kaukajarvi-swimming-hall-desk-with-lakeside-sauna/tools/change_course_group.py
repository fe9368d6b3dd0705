import datetime


def _desk_enrolment(env, course_enrolment_id):
    return env.one(
        "SELECT e.id, e.swimming_course_id, w.code AS course_code, w.badge_id, w.first_lesson_at, e.customer_id, c.name AS customer_name, e.enrolled_by_id, e.status, e.price_cents, e.enrolled_at, e.group_changed_at, e.cancelled_at FROM course_enrolments e JOIN swimming_courses w ON w.id = e.swimming_course_id JOIN customers c ON c.id = e.customer_id WHERE e.id = ?",
        [course_enrolment_id],
    )


def _desk_own_enrolment(env, course_enrolment_id):
    """An enrolment of the user or of their child."""
    row = env.one(
        "SELECT e.id FROM course_enrolments e JOIN customers c ON c.id = e.customer_id WHERE e.id = :e AND (c.id = :u OR (c.guardian_id = :u AND c.birth_date > date(:day, '-18 years')))",
        {"e": course_enrolment_id, "u": env.user_id, "day": env.now[:10]},
    )
    if row is None:
        raise env.Error(f"neither you nor a child of yours has a course enrolment {course_enrolment_id}")
    return _desk_enrolment(env, course_enrolment_id)


def _desk_course(env, swimming_course_id):
    """A course with the places taken and its price."""
    row = env.one(
        "SELECT w.id, w.code, w.badge_id, w.first_lesson_at, w.places, w.status, p.id AS price_id, p.code AS price_code, p.price_cents, (SELECT COUNT(*) FROM course_enrolments e WHERE e.swimming_course_id = w.id AND e.status IN ('enrolled', 'completed')) AS places_taken FROM swimming_courses w JOIN prices p ON p.id = w.price_id WHERE w.id = ?",
        [swimming_course_id],
    )
    if row is None:
        raise env.Error(f"there is no swimming course {swimming_course_id}")
    return row


def _change_course_group_second_lesson(first_lesson_at):
    """The second weekly lesson; there are none in weeks 9 and 42."""
    second = datetime.datetime.fromisoformat(first_lesson_at) + datetime.timedelta(days=7)
    if second.isocalendar()[1] in (9, 42):
        second += datetime.timedelta(days=7)
    return second.isoformat()


def change_course_group(env, *, course_enrolment_id: int, swimming_course_id: int) -> dict:
    """Moves an enrolment to another course of the same level and price."""
    place = _desk_own_enrolment(env, course_enrolment_id)
    new = _desk_course(env, swimming_course_id)
    if place["status"] != "enrolled":
        raise env.Error(f"this enrolment is {place['status']}; only a place in a course can be moved")
    if new["id"] == place["swimming_course_id"]:
        raise env.Error(f"{place['customer_name']} is in course {new['code']} already")
    old = _desk_course(env, place["swimming_course_id"])
    if place["group_changed_at"] is not None:
        raise env.Error("the group of this enrolment has been changed once already")
    if env.now >= _change_course_group_second_lesson(old["first_lesson_at"]):
        raise env.Error("a group can be changed until the second lesson")
    if new["badge_id"] != old["badge_id"] or new["price_id"] != old["price_id"]:
        raise env.Error(f"course {new['code']} is not of the same level and price as {old['code']}")
    if new["status"] not in ("planned", "running"):
        raise env.Error(f"course {new['code']} is {new['status']}")
    other = env.one(
        "SELECT id FROM course_enrolments WHERE swimming_course_id = :w AND customer_id = :c AND status <> 'cancelled'",
        {"w": swimming_course_id, "c": place["customer_id"]},
    )
    if other is not None:
        raise env.Error(f"{place['customer_name']} is in course {new['code']} or its queue already")
    if new["places_taken"] >= new["places"]:
        raise env.Error(f"all {new['places']} places of course {new['code']} are taken")
    env.execute(
        "UPDATE course_enrolments SET swimming_course_id = :w, group_changed_at = :now WHERE id = :e",
        {"w": swimming_course_id, "now": env.now, "e": course_enrolment_id},
    )
    return {"course_enrolment": _desk_enrolment(env, course_enrolment_id)}

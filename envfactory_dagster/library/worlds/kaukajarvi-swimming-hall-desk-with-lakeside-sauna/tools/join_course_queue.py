import datetime


def _desk_person(env, customer_id):
    """The user, or a child under 18 whose guardian the user is."""
    row = env.one(
        "SELECT id, name, birth_date, price_group FROM customers WHERE id = :c AND (id = :u OR (guardian_id = :u AND birth_date > date(:day, '-18 years')))",
        {"c": customer_id, "u": env.user_id, "day": env.now[:10]},
    )
    if row is None:
        raise env.Error(f"there is no customer {customer_id} who is you or a child you are guardian of")
    return row


def _desk_add_months(day, months):
    """The same day of the month some months later, or the last day of that month."""
    start = datetime.date.fromisoformat(day)
    index = start.year * 12 + start.month - 1 + months
    year, month = index // 12, index % 12 + 1
    nxt = datetime.date(year + month // 12, month % 12 + 1, 1)
    last = (nxt - datetime.timedelta(days=1)).day
    return datetime.date(year, month, min(start.day, last)).isoformat()


def _desk_enrolment(env, course_enrolment_id):
    return env.one(
        "SELECT e.id, e.swimming_course_id, w.code AS course_code, w.badge_id, w.first_lesson_at, e.customer_id, c.name AS customer_name, e.enrolled_by_id, e.status, e.price_cents, e.enrolled_at, e.group_changed_at, e.cancelled_at FROM course_enrolments e JOIN swimming_courses w ON w.id = e.swimming_course_id JOIN customers c ON c.id = e.customer_id WHERE e.id = ?",
        [course_enrolment_id],
    )


def _desk_course(env, swimming_course_id):
    """A course with the places taken and its price."""
    row = env.one(
        "SELECT w.id, w.code, w.badge_id, w.first_lesson_at, w.places, w.status, p.id AS price_id, p.code AS price_code, p.price_cents, (SELECT COUNT(*) FROM course_enrolments e WHERE e.swimming_course_id = w.id AND e.status IN ('enrolled', 'completed')) AS places_taken FROM swimming_courses w JOIN prices p ON p.id = w.price_id WHERE w.id = ?",
        [swimming_course_id],
    )
    if row is None:
        raise env.Error(f"there is no swimming course {swimming_course_id}")
    return row


def _desk_may_swim(env, customer_id, level):
    """Whether the level is open to the swimmer by badge or test swim."""
    if level < 3:
        return True
    row = env.one(
        "SELECT (SELECT COUNT(*) FROM swimmer_badges b WHERE b.customer_id = :c AND b.badge_id = :level - 1 AND (b.source = 'other_hall' OR b.bought_at IS NOT NULL)) + (SELECT COUNT(*) FROM test_swims t WHERE t.customer_id = :c AND t.badge_id = :level AND t.outcome = 'passed') AS proofs",
        {"c": customer_id, "level": level},
    )
    return row["proofs"] > 0


def _desk_fits_age(env, course, person):
    """Children's courses are for those under 18, adults' for the others."""
    child = person["birth_date"] > _desk_add_months(env.now[:10], -18 * 12)
    if course["price_code"] == "course_children" and not child:
        raise env.Error(f"course {course['code']} is for children, and {person['name']} is not under 18")
    if course["price_code"] == "course_adults" and child:
        raise env.Error(f"course {course['code']} is for adults, and {person['name']} is under 18")


def join_course_queue(env, *, swimming_course_id: int, customer_id: int) -> dict:
    """Puts the user or their child in the queue of a course."""
    course = _desk_course(env, swimming_course_id)
    person = _desk_person(env, customer_id)
    if course["status"] != "planned" or course["first_lesson_at"] <= env.now:
        raise env.Error(f"course {course['code']} is not open for enrolment")
    _desk_fits_age(env, course, person)
    place = env.one(
        "SELECT id, status FROM course_enrolments WHERE swimming_course_id = :w AND customer_id = :c AND status <> 'cancelled'",
        {"w": swimming_course_id, "c": customer_id},
    )
    if place is not None:
        where = "in the queue of" if place["status"] == "queued" else "in"
        raise env.Error(f"{person['name']} is already {where} course {course['code']}")
    if course["places_taken"] < course["places"] and _desk_may_swim(env, customer_id, course["badge_id"]):
        raise env.Error(f"course {course['code']} has free places and is open to {person['name']}: enrol instead of queueing")
    new = env.insert(
        "INSERT INTO course_enrolments (swimming_course_id, customer_id, enrolled_by_id, status, price_cents, enrolled_at) VALUES (:w, :c, :u, 'queued', :p, :now)",
        {"w": swimming_course_id, "c": customer_id, "u": env.user_id, "p": course["price_cents"], "now": env.now},
    )
    queue = env.one("SELECT COUNT(*) AS n FROM course_enrolments WHERE swimming_course_id = ? AND status = 'queued'", [swimming_course_id])
    return {"course_enrolment": _desk_enrolment(env, new), "queue_position": queue["n"]}

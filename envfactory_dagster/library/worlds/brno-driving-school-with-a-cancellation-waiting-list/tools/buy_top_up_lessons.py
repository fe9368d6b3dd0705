import datetime

BOOK_DRIVING_LESSON_OVERDUE_DAYS = 14
BUY_TOP_UP_LESSONS_FIVE_CENTS = 590000
BUY_TOP_UP_LESSONS_AUTOMATIC_CENTS = 145000
BUY_TOP_UP_LESSONS_MANUAL_CENTS = 130000


def _extend_course_later(env, day, months):
    """The same day some months later, plus the closed days of the school that fall into them."""
    start = datetime.date.fromisoformat(day)
    count = start.month - 1 + months
    year, month = start.year + count // 12, count % 12 + 1
    first_of_next = datetime.date(year + month // 12, month % 12 + 1, 1)
    last_of_month = (first_of_next - datetime.timedelta(days=1)).day
    end = datetime.date(year, month, min(start.day, last_of_month))
    closed = env.one(
        "SELECT COUNT(*) AS days FROM calendar_days WHERE is_closed = ? AND day > ? AND day <= ?",
        [1, day, end.isoformat()],
    )["days"]
    return (end + datetime.timedelta(days=closed)).isoformat()


def _book_driving_lesson_overdue(env):
    """Whether the user owes money that is more than 14 days overdue."""
    limit = datetime.date.fromisoformat(env.now[:10]) - datetime.timedelta(days=BOOK_DRIVING_LESSON_OVERDUE_DAYS)
    row = env.one(
        "SELECT c.id FROM charges c WHERE c.pupil_id = ? AND c.due_on < ? AND c.amount_cents - c.credited_cents"
        " > (SELECT COALESCE(SUM(p.amount_cents), 0) FROM payments p WHERE p.charge_id = c.id) ORDER BY c.id LIMIT 1",
        [env.user_id, limit.isoformat()],
    )
    return row is not None


def _list_charges_due_in_14_days(env):
    """The day on which a fee of today is due."""
    return (datetime.date.fromisoformat(env.now[:10]) + datetime.timedelta(days=14)).isoformat()


def _list_course_packages_one(env, course_package_id):
    """One package of the user's as the tools show it."""
    return env.one(
        "SELECT id, instructor_id, kind, transmission, hours_included, price_cents, bought_at, first_lesson_on, expires_on, extended_at,"
        " free_move_used_at, instructor_yes_at, early_exam_agreed_at, status FROM course_packages WHERE id = ? AND pupil_id = ?",
        [course_package_id, env.user_id])


def buy_top_up_lessons(env, *, course_package_id: int, lessons: int) -> dict:
    """Buys one or five top-up lessons to go with a course."""
    course = _list_course_packages_one(env, course_package_id)
    if course is None:
        raise env.Error(f"you have no package {course_package_id}")
    if course["kind"] not in ("full_course", "student_course"):
        raise env.Error("top-up lessons go with a course, not with other top-up lessons")
    if course["status"] != "active" or (course["expires_on"] is not None and course["expires_on"] < env.now[:10]):
        raise env.Error("top-up lessons need a course that is still active")
    if lessons not in (1, 5):
        raise env.Error("top-up lessons are sold singly or by five")
    if _book_driving_lesson_overdue(env):
        raise env.Error("you owe money that is more than 14 days overdue, so nothing new can be bought")
    if lessons == 5:
        kind, price, expires_on = "five_top_up_lessons", BUY_TOP_UP_LESSONS_FIVE_CENTS, _extend_course_later(env, env.now[:10], 4)
    else:
        price = BUY_TOP_UP_LESSONS_AUTOMATIC_CENTS if course["transmission"] == "automatic" else BUY_TOP_UP_LESSONS_MANUAL_CENTS
        kind, expires_on = "top_up_lesson", None
    package_id = env.insert(
        "INSERT INTO course_packages (pupil_id, instructor_id, kind, transmission, hours_included, price_cents, bought_at, expires_on, status)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'active')",
        [env.user_id, course["instructor_id"], kind, course["transmission"], 2 * lessons, price, env.now, expires_on])
    charge_id = env.insert(
        "INSERT INTO charges (pupil_id, kind, course_package_id, amount_cents, charged_at, due_on) VALUES (?, 'top_up', ?, ?, ?, ?)",
        [env.user_id, package_id, price, env.now, _list_charges_due_in_14_days(env)])
    return {"course_package": _list_course_packages_one(env, package_id), "charge_id": charge_id, "amount_cents": price}

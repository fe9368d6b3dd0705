import datetime


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


def _list_course_packages_one(env, course_package_id):
    """One package of the user's as the tools show it."""
    return env.one(
        "SELECT id, instructor_id, kind, transmission, hours_included, price_cents, bought_at, first_lesson_on, expires_on, extended_at,"
        " free_move_used_at, instructor_yes_at, early_exam_agreed_at, status FROM course_packages WHERE id = ? AND pupil_id = ?",
        [course_package_id, env.user_id])


def _pay_charge_outstanding(env, charge_id):
    """What is outstanding of a charge of the user's, or None when there is no such charge."""
    row = env.one(
        "SELECT amount_cents - credited_cents - (SELECT COALESCE(SUM(p.amount_cents), 0) FROM payments p WHERE p.charge_id = charges.id)"
        " AS cents FROM charges WHERE id = ? AND pupil_id = ?", [charge_id, env.user_id])
    return None if row is None else row["cents"]


def extend_course(env, *, course_package_id: int) -> dict:
    """Extends a course by three months once the extension is paid."""
    package = _list_course_packages_one(env, course_package_id)
    if package is None:
        raise env.Error(f"you have no package {course_package_id}")
    if package["extended_at"] is not None:
        raise env.Error("this course has been extended already, which is possible once")
    charge = env.one(
        "SELECT id FROM charges WHERE course_package_id = ? AND pupil_id = ? AND kind = 'course_extension'"
        " AND credited_cents < amount_cents ORDER BY id LIMIT 1", [course_package_id, env.user_id])
    if charge is None:
        raise env.Error("the extension of this course has not been asked for")
    if _pay_charge_outstanding(env, charge["id"]) > 0:
        raise env.Error("the extension has not been paid yet")
    if package["status"] != "active" or package["expires_on"] is None or package["expires_on"] < env.now[:10]:
        raise env.Error("this course has ended and cannot be extended any more")
    expires_on = _extend_course_later(env, package["expires_on"], 3)
    env.execute("UPDATE course_packages SET expires_on = ?, extended_at = ? WHERE id = ?", [expires_on, env.now, course_package_id])
    return {"course_package": _list_course_packages_one(env, course_package_id)}

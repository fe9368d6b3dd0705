import datetime

GET_LESSON_CHANGE_FEE_CENTS = 30000


def _get_lesson_change_fee_seconds(env, starts_at):
    """Seconds of notice until a lesson; Sundays and public holidays do not count."""
    rows = env.query(
        "SELECT day FROM calendar_days WHERE is_public_holiday = ? AND day BETWEEN ? AND ? ORDER BY day",
        [1, env.now[:10], starts_at[:10]],
    )
    holidays = {row["day"] for row in rows}
    at = datetime.datetime.fromisoformat(env.now)
    end = datetime.datetime.fromisoformat(starts_at)
    seconds = 0
    while at < end:
        midnight = datetime.datetime.combine(at.date() + datetime.timedelta(days=1), datetime.time())
        until = min(midnight, end)
        if at.weekday() != 6 and at.date().isoformat() not in holidays:
            seconds += int((until - at).total_seconds())
        at = until
    return seconds


def _list_driving_lessons_one(env, driving_lesson_id):
    """One lesson of the user's as the tools show it."""
    return env.one(
        "SELECT id, course_package_id, instructor_id, car_id, moved_from_driving_lesson_id, kind, starts_at, status, booked_at,"
        " cancelled_at, ended_by, confirmed_at, returned_hours FROM driving_lessons WHERE id = ? AND pupil_id = ?",
        [driving_lesson_id, env.user_id])


def _list_course_packages_one(env, course_package_id):
    """One package of the user's as the tools show it."""
    return env.one(
        "SELECT id, instructor_id, kind, transmission, hours_included, price_cents, bought_at, first_lesson_on, expires_on, extended_at,"
        " free_move_used_at, instructor_yes_at, early_exam_agreed_at, status FROM course_packages WHERE id = ? AND pupil_id = ?",
        [course_package_id, env.user_id])


def get_lesson_change_fee(env, *, driving_lesson_id: int) -> dict:
    """Says what cancelling or moving a booked lesson would cost now."""
    lesson = _list_driving_lessons_one(env, driving_lesson_id)
    if lesson is None:
        raise env.Error(f"you have no driving lesson {driving_lesson_id}")
    if lesson["status"] != "booked" or lesson["starts_at"] <= env.now:
        raise env.Error("only a booked lesson that has not begun can be moved or cancelled")
    seconds = _get_lesson_change_fee_seconds(env, lesson["starts_at"])
    package = _list_course_packages_one(env, lesson["course_package_id"])
    late = 24 * 3600 <= seconds <= 48 * 3600
    return {
        "driving_lesson_id": driving_lesson_id, "notice_minutes": seconds // 60,
        "cancel_fee_cents": GET_LESSON_CHANGE_FEE_CENTS if late else 0,
        "move_fee_cents": GET_LESSON_CHANGE_FEE_CENTS if late and package["free_move_used_at"] is not None else 0,
        "would_forfeit": 1 if seconds < 24 * 3600 else 0,
    }

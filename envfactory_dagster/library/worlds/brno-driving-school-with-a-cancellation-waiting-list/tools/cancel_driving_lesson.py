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


def _list_charges_due_in_14_days(env):
    """The day on which a fee of today is due."""
    return (datetime.date.fromisoformat(env.now[:10]) + datetime.timedelta(days=14)).isoformat()


def cancel_driving_lesson(env, *, driving_lesson_id: int) -> dict:
    """Cancels a booked lesson, with the fee or the forfeit that the notice asks for."""
    lesson = _list_driving_lessons_one(env, driving_lesson_id)
    if lesson is None:
        raise env.Error(f"you have no driving lesson {driving_lesson_id}")
    if lesson["status"] != "booked" or lesson["starts_at"] <= env.now:
        raise env.Error("only a booked lesson that has not begun can be cancelled")
    seconds = _get_lesson_change_fee_seconds(env, lesson["starts_at"])
    status = "forfeited" if seconds < 24 * 3600 else "cancelled"
    fee = GET_LESSON_CHANGE_FEE_CENTS if 24 * 3600 <= seconds <= 48 * 3600 else 0
    env.execute(
        "UPDATE driving_lessons SET status = ?, ended_by = 'pupil', cancelled_at = ? WHERE id = ?", [status, env.now, driving_lesson_id])
    if fee:
        env.insert(
            "INSERT INTO charges (pupil_id, kind, driving_lesson_id, amount_cents, charged_at, due_on) VALUES (?, 'lesson_cancelled', ?, ?, ?, ?)",
            [env.user_id, driving_lesson_id, fee, env.now, _list_charges_due_in_14_days(env)])
    return {"driving_lesson": _list_driving_lessons_one(env, driving_lesson_id), "fee_cents": fee}

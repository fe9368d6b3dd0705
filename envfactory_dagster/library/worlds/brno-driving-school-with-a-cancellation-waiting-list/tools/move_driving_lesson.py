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


def _book_driving_lesson_moment(env, text):
    """A moment as the service writes it."""
    try:
        moment = datetime.datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.isoformat() != text or len(text) != 19:
        raise env.Error("the start must be given like 2026-03-02T09:00:00")
    return moment


def _book_driving_lesson_check_time(env, package, instructor_id, car_id, kind, starts_at, old_id):
    """Refuses a time, an instructor or a car that a lesson may not have; old_id is a lesson that gives way to it."""
    instructor = env.one("SELECT * FROM instructors WHERE id = ?", [instructor_id])
    if instructor is None:
        raise env.Error(f"there is no instructor {instructor_id}")
    car = env.one("SELECT * FROM cars WHERE id = ?", [car_id])
    if car is None:
        raise env.Error(f"there is no car {car_id}")
    start = _book_driving_lesson_moment(env, starts_at)
    if start.minute not in (0, 30) or start.second:
        raise env.Error("lessons begin on the hour or the half hour")
    if starts_at <= env.now:
        raise env.Error("the start of the lesson must lie ahead")
    day = starts_at[:10]
    calendar = env.one("SELECT * FROM calendar_days WHERE day = ?", [day])
    if calendar is None:
        raise env.Error(f"the calendar does not show {day} yet, so nothing can be booked on it")
    if start.weekday() == 6 or calendar["is_public_holiday"] or calendar["is_closed"]:
        raise env.Error(f"there are no lessons on {day}: it is a Sunday, a public holiday or a closed day")
    if package["status"] != "active":
        raise env.Error("this package is not active any more")
    if package["expires_on"] is not None and package["expires_on"] < day:
        raise env.Error(f"this package is valid until {package['expires_on']} only")
    end = start + datetime.timedelta(minutes=90)
    if starts_at[11:16] < instructor["works_from"] or end.date() != start.date() or end.strftime("%H:%M") > instructor["works_until"]:
        raise env.Error(f"{instructor['name']} works from {instructor['works_from']} to {instructor['works_until']}")
    if car["transmission"] != package["transmission"]:
        raise env.Error(f"{car['name']} is {car['transmission']}, the package is {package['transmission']}")
    if car["only_instructor_id"] not in (None, instructor_id):
        raise env.Error(f"{car['name']} is driven with another instructor only")
    if env.one("SELECT id FROM workshop_periods WHERE car_id = ? AND ? BETWEEN starts_on AND ends_on ORDER BY id LIMIT 1", [car_id, day]):
        raise env.Error(f"{car['name']} is in the workshop on {day}")
    near = {
        "low": (start - datetime.timedelta(minutes=90)).isoformat(), "high": end.isoformat(),
        "instructor": instructor_id, "car": car_id, "old": old_id,
    }
    for row in env.query(
        "SELECT instructor_id, car_id FROM driving_lessons WHERE status IN ('booked', 'driven', 'no_show')"
        " AND starts_at > :low AND starts_at < :high AND (instructor_id = :instructor OR car_id = :car)"
        " AND (:old IS NULL OR id <> :old) ORDER BY id", near):
        if row["instructor_id"] == instructor_id:
            raise env.Error(f"{instructor['name']} is not free at that time")
        raise env.Error(f"{car['name']} is not free at that time")
    monday = (start.date() - datetime.timedelta(days=start.weekday())).isoformat()
    sunday = (start.date() + datetime.timedelta(days=6 - start.weekday())).isoformat()
    week = {"pupil": env.user_id, "first": monday, "last": sunday, "old": old_id}
    mine = env.query(
        "SELECT kind, starts_at FROM driving_lessons WHERE pupil_id = :pupil AND status IN ('booked', 'driven', 'no_show')"
        " AND substr(starts_at, 1, 10) BETWEEN :first AND :last AND (:old IS NULL OR id <> :old) ORDER BY starts_at, id", week)
    same_day = [row for row in mine if row["starts_at"][:10] == day]
    if len(same_day) > 1:
        raise env.Error("you already have two lessons on that day")
    if same_day:
        other = same_day[0]
        pair = sorted([(other["starts_at"], other["kind"]), (starts_at, kind)])
        follows = datetime.datetime.fromisoformat(pair[0][0]) + datetime.timedelta(minutes=90)
        if pair[0][1] != "ordinary" or pair[1][1] != "motorway" or follows.isoformat() != pair[1][0]:
            raise env.Error("you already have a lesson on that day; only a motorway trip may follow directly on an ordinary lesson")
    if len(mine) >= 2:
        exams = [row["calendar_day"] for row in env.query(
            "SELECT b.calendar_day FROM exam_places e JOIN exam_blocks b ON b.id = e.exam_block_id"
            " WHERE e.pupil_id = ? AND e.status = 'confirmed' ORDER BY b.calendar_day, b.id", [env.user_id])]
        days = [row["starts_at"][:10] for row in mine] + [day]
        close = False
        for exam in exams:
            earliest = (datetime.date.fromisoformat(exam) - datetime.timedelta(days=14)).isoformat()
            close = close or all(earliest <= one < exam for one in days)
        if len(mine) >= 3 or not close:
            raise env.Error("you already have the most lessons allowed in that week: 2, or 3 in the 14 days before a confirmed exam")
    if kind == "dark":
        if starts_at[11:16] <= calendar["sunset_time"]:
            raise env.Error(f"a dark lesson must begin after sunset, which is at {calendar['sunset_time']} on {day}")
        dark = env.one(
            "SELECT COUNT(*) AS lessons FROM driving_lessons WHERE kind = 'dark' AND status IN ('booked', 'driven', 'no_show')"
            " AND substr(starts_at, 1, 10) BETWEEN :first AND :last AND (:old IS NULL OR id <> :old)",
            {"first": monday, "last": sunday, "old": old_id})["lessons"]
        if dark >= 6:
            raise env.Error("the school already has its six dark lessons in that week")
    if kind == "motorway":
        if not car["motorway_allowed"]:
            raise env.Error(f"{car['name']} never goes on the motorway")
        confirmed = env.one(
            "SELECT COUNT(*) AS lessons FROM driving_lessons WHERE pupil_id = ? AND confirmed_at IS NOT NULL", [env.user_id])["lessons"]
        if 2 * confirmed < 16:
            raise env.Error(f"a motorway trip needs 16 confirmed hours, you have {2 * confirmed}")


def _list_driving_lessons_one(env, driving_lesson_id):
    """One lesson of the user's as the tools show it."""
    return env.one(
        "SELECT id, course_package_id, instructor_id, car_id, moved_from_driving_lesson_id, kind, starts_at, status, booked_at,"
        " cancelled_at, ended_by, confirmed_at, returned_hours FROM driving_lessons WHERE id = ? AND pupil_id = ?",
        [driving_lesson_id, env.user_id])


def _list_charges_due_in_14_days(env):
    """The day on which a fee of today is due."""
    return (datetime.date.fromisoformat(env.now[:10]) + datetime.timedelta(days=14)).isoformat()


def move_driving_lesson(env, *, driving_lesson_id: int, starts_at: str, car_id: int) -> dict:
    """Moves a booked lesson to another time with the same instructor."""
    lesson = _list_driving_lessons_one(env, driving_lesson_id)
    if lesson is None:
        raise env.Error(f"you have no driving lesson {driving_lesson_id}")
    if lesson["status"] != "booked" or lesson["starts_at"] <= env.now:
        raise env.Error("only a booked lesson that has not begun can be moved")
    if starts_at == lesson["starts_at"]:
        raise env.Error("the lesson already begins at that time")
    seconds = _get_lesson_change_fee_seconds(env, lesson["starts_at"])
    if seconds < 24 * 3600:
        raise env.Error("with less than 24 hours' notice a lesson cannot be moved, only cancelled and forfeited")
    package = env.one("SELECT * FROM course_packages WHERE id = ? AND pupil_id = ?", [lesson["course_package_id"], env.user_id])
    _book_driving_lesson_check_time(env, package, lesson["instructor_id"], car_id, lesson["kind"], starts_at, driving_lesson_id)
    fee = GET_LESSON_CHANGE_FEE_CENTS if seconds <= 48 * 3600 and package["free_move_used_at"] is not None else 0
    env.execute(
        "UPDATE driving_lessons SET status = 'moved', ended_by = 'pupil', cancelled_at = ? WHERE id = ?", [env.now, driving_lesson_id])
    new_id = env.insert(
        "INSERT INTO driving_lessons (pupil_id, course_package_id, instructor_id, car_id, moved_from_driving_lesson_id, kind, starts_at,"
        " status, booked_at) VALUES (?, ?, ?, ?, ?, ?, ?, 'booked', ?)",
        [env.user_id, package["id"], lesson["instructor_id"], car_id, driving_lesson_id, lesson["kind"], starts_at, env.now])
    if package["free_move_used_at"] is None:
        env.execute("UPDATE course_packages SET free_move_used_at = ? WHERE id = ?", [env.now, package["id"]])
    if fee:
        env.insert(
            "INSERT INTO charges (pupil_id, kind, driving_lesson_id, amount_cents, charged_at, due_on) VALUES (?, 'lesson_moved', ?, ?, ?, ?)",
            [env.user_id, driving_lesson_id, fee, env.now, _list_charges_due_in_14_days(env)])
    return {"driving_lesson": _list_driving_lessons_one(env, new_id), "fee_cents": fee}

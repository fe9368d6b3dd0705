import datetime

BOOK_DRIVING_LESSON_OVERDUE_DAYS = 14
BOOK_DRIVING_LESSON_FIRST_INSTALMENT_CENTS = 990000


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


def _book_driving_lesson_check_pupil(env, package_id):
    """Refuses what a new lesson may not be booked on: papers, lessons ahead, overdue money, hours left."""
    lessons = env.one(
        "SELECT COUNT(*) AS had, COALESCE(SUM(status = 'booked' AND starts_at > :now), 0) AS ahead FROM driving_lessons"
        " WHERE pupil_id = :pupil AND status IN ('booked', 'driven', 'no_show', 'forfeited')",
        {"pupil": env.user_id, "now": env.now},
    )
    if lessons["had"] == 0:
        pupil = env.one("SELECT born_on, simulator_waived FROM pupils WHERE id = ?", [env.user_id])
        papers = {row["kind"] for row in env.query(
            "SELECT kind FROM pupil_documents WHERE pupil_id = ? ORDER BY id", [env.user_id])}
        if "medical_certificate" not in papers:
            raise env.Error("before the first lesson the desk must hold the doctor's certificate")
        if "signed_application" not in papers:
            raise env.Error("before the first lesson the desk must hold the signed application")
        born, today = pupil["born_on"], env.now[:10]
        age = int(today[:4]) - int(born[:4]) - (1 if today[5:] < born[5:] else 0)
        if age < 18 and "parent_signature" not in papers:
            raise env.Error("for a pupil under 18 the desk must hold a parent's signature before the first lesson")
        paid = env.one(
            "SELECT COALESCE(SUM(p.amount_cents), 0) AS cents FROM payments p JOIN charges c ON c.id = p.charge_id"
            " WHERE c.pupil_id = ? AND c.kind = 'first_instalment'", [env.user_id])["cents"]
        if paid < BOOK_DRIVING_LESSON_FIRST_INSTALMENT_CENTS:
            raise env.Error("before the first lesson the first instalment of 9,900 CZK must be paid")
        driven = env.one(
            "SELECT COUNT(*) AS hours FROM simulator_sessions WHERE pupil_id = ? AND status = 'driven'",
            [env.user_id])["hours"]
        if driven < 2 and not pupil["simulator_waived"]:
            raise env.Error("before the first lesson 2 simulator hours must be driven")
    if lessons["ahead"] >= 4:
        raise env.Error("you already have 4 lessons booked ahead, which is the most anybody may have")
    if _book_driving_lesson_overdue(env):
        raise env.Error("you owe money that is more than 14 days overdue, so nothing new can be booked")
    left = env.one(
        "SELECT p.hours_included - 2 * COUNT(l.id) + COALESCE(SUM(l.returned_hours), 0) AS hours FROM course_packages p"
        " LEFT JOIN driving_lessons l ON l.course_package_id = p.id"
        " AND l.status IN ('booked', 'driven', 'no_show', 'forfeited') WHERE p.id = ? GROUP BY p.id", [package_id])
    if left["hours"] < 2:
        raise env.Error("this package has no hours left for another lesson")


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


def _book_driving_lesson_start_package(env, package, day):
    """Notes the first lesson of a package; a course then runs for nine months."""
    if package["first_lesson_on"] is None:
        expires_on = package["expires_on"]
        if package["kind"] in ("full_course", "student_course") and expires_on is None:
            expires_on = _extend_course_later(env, day, 9)
        env.execute("UPDATE course_packages SET first_lesson_on = ?, expires_on = ? WHERE id = ?", [day, expires_on, package["id"]])


def _list_driving_lessons_one(env, driving_lesson_id):
    """One lesson of the user's as the tools show it."""
    return env.one(
        "SELECT id, course_package_id, instructor_id, car_id, moved_from_driving_lesson_id, kind, starts_at, status, booked_at,"
        " cancelled_at, ended_by, confirmed_at, returned_hours FROM driving_lessons WHERE id = ? AND pupil_id = ?",
        [driving_lesson_id, env.user_id])


def _list_lesson_offers_until(sent_at):
    """The moment until which an offer stands, included."""
    three_hours = (datetime.datetime.fromisoformat(sent_at) + datetime.timedelta(hours=3)).isoformat()
    return min(three_hours, sent_at[:10] + "T19:00:00")


def accept_lesson_offer(env, *, lesson_offer_id: int, course_package_id: int) -> dict:
    """Accepts an open offer and books the freed lesson."""
    offer = env.one("SELECT * FROM lesson_offers WHERE id = ? AND pupil_id = ?", [lesson_offer_id, env.user_id])
    if offer is None:
        raise env.Error(f"no lesson offer {lesson_offer_id} was made to you")
    package = env.one("SELECT * FROM course_packages WHERE id = ? AND pupil_id = ?", [course_package_id, env.user_id])
    if package is None:
        raise env.Error(f"you have no package {course_package_id}")
    if offer["status"] != "open":
        raise env.Error(f"this offer is {offer['status']} already")
    until = _list_lesson_offers_until(offer["sent_at"])
    if env.now > until:
        raise env.Error(f"this offer stood until {until[11:16]} on {until[:10]} and has lapsed")
    freed = env.one("SELECT * FROM driving_lessons WHERE id = ?", [offer["freed_driving_lesson_id"]])
    _book_driving_lesson_check_time(
        env, package, freed["instructor_id"], freed["car_id"], freed["kind"], freed["starts_at"], None)
    _book_driving_lesson_check_pupil(env, course_package_id)
    lesson_id = env.insert(
        "INSERT INTO driving_lessons (pupil_id, course_package_id, instructor_id, car_id, kind, starts_at, status, booked_at)"
        " VALUES (?, ?, ?, ?, ?, ?, 'booked', ?)",
        [env.user_id, course_package_id, freed["instructor_id"], freed["car_id"], freed["kind"], freed["starts_at"], env.now])
    _book_driving_lesson_start_package(env, package, freed["starts_at"][:10])
    env.execute("UPDATE lesson_offers SET status = 'accepted', answered_at = ? WHERE id = ?", [env.now, lesson_offer_id])
    env.execute("UPDATE waiting_list_entries SET status = 'filled' WHERE id = ?", [offer["waiting_list_entry_id"]])
    env.execute(
        "UPDATE charges SET credited_cents = amount_cents / 2, credited_at = :now, credit_reason = 'lesson_filled'"
        " WHERE driving_lesson_id = :freed AND kind IN ('lesson_cancelled', 'lesson_moved') AND credited_cents = 0",
        {"now": env.now, "freed": freed["id"]})
    if freed["status"] == "forfeited" and freed["returned_hours"] == 0:
        env.execute("UPDATE driving_lessons SET returned_hours = 1 WHERE id = ?", [freed["id"]])
    return {
        "lesson_offer": env.one(
            "SELECT id, waiting_list_entry_id, freed_driving_lesson_id, sent_at, status, answered_at FROM lesson_offers WHERE id = ?",
            [lesson_offer_id]),
        "driving_lesson": _list_driving_lessons_one(env, lesson_id),
    }

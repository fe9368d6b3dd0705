import datetime


def _course(world):
    return world.initial.one(
        "SELECT * FROM course_packages WHERE pupil_id = 1 AND status = 'active' AND kind IN ('full_course', 'student_course')"
    )


def _choices(world):
    """All times that fit: start, instructor and car, the soonest first."""
    found = []
    course = _course(world)
    lessons = world.initial.query(
        "SELECT instructor_id, car_id, starts_at FROM driving_lessons WHERE status IN ('booked', 'driven', 'no_show')"
    )
    for instructor in world.initial.query(
        "SELECT * FROM instructors WHERE name IN (?, ?) ORDER BY id", ["Ondřej Vrba", "Radim Šustr"]
    ):
        cars = world.initial.query(
            "SELECT * FROM cars WHERE transmission = ? AND (only_instructor_id IS NULL OR only_instructor_id = ?)",
            [course["transmission"], instructor["id"]],
        )
        for day in world.initial.query(
            "SELECT day, sunset_time FROM calendar_days WHERE day BETWEEN ? AND ? AND day <> ? AND is_public_holiday = 0"
            " AND is_closed = 0 ORDER BY day", ["2025-11-10", "2025-11-15", "2025-11-13"]
        ):
            at = datetime.datetime.fromisoformat(day["day"] + "T17:00:00")
            while (at + datetime.timedelta(minutes=90)).isoformat() <= day["day"] + "T" + instructor["works_until"] + ":00":
                near = [row for row in lessons
                        if abs(datetime.datetime.fromisoformat(row["starts_at"]) - at) < datetime.timedelta(minutes=90)]
                dark = at.isoformat()[11:16] > day["sunset_time"]
                if dark and not any(row["instructor_id"] == instructor["id"] for row in near):
                    for car in cars:
                        away = world.initial.one(
                            "SELECT count(*) AS n FROM workshop_periods WHERE car_id = ? AND ? BETWEEN starts_on AND ends_on",
                            [car["id"], day["day"]],
                        )["n"]
                        if not away and not any(row["car_id"] == car["id"] for row in near):
                            found.append((at.isoformat(), instructor["id"], car["id"]))
                at += datetime.timedelta(minutes=30)
    return sorted(found)


def _soonest(world):
    choices = _choices(world)
    return [choice for choice in choices if choice[0] == choices[0][0]]


def _new(world):
    return [change["after"] for change in world.changes if change["table"] == "driving_lessons" and change["before"] is None]


def goal_has_one_dark_lesson_that_week(world) -> bool:
    """Has exactly one dark lesson booked on the course in the week of 10 November, not on the 13th and from 17:00 on."""
    rows = world.final.query(
        "SELECT starts_at FROM driving_lessons WHERE pupil_id = 1 AND kind = 'dark' AND status = 'booked'"
        " AND course_package_id = ? AND substr(starts_at, 1, 10) BETWEEN ? AND ?",
        [_course(world)["id"], "2025-11-10", "2025-11-16"],
    )
    return len(rows) == 1 and rows[0]["starts_at"][:10] != "2025-11-13" and rows[0]["starts_at"][11:16] >= "17:00"


def goal_with_whoever_can_do_it_sooner(world) -> bool:
    """It is the soonest time after sunset at which Ondřej Vrba or Radim Šustr and a fitting car are free."""
    return any((row["starts_at"], row["instructor_id"], row["car_id"]) in _soonest(world) for row in _new(world))


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but one new dark lesson of the pupil's."""
    return len(world.changes) <= 1 and all(
        change["table"] == "driving_lessons" and change["before"] is None
        and change["after"]["pupil_id"] == 1 and change["after"]["kind"] == "dark"
        for change in world.changes
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

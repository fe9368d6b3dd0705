import datetime


def _can(world, instructor, transmission, start):
    """Whether the instructor and a fitting car are free for 90 minutes."""
    day, hour = start[:10], start[11:16]
    end = datetime.datetime.fromisoformat(start) + datetime.timedelta(minutes=90)
    if hour < instructor["works_from"] or end.isoformat()[11:16] > instructor["works_until"]:
        return False
    low = (datetime.datetime.fromisoformat(start) - datetime.timedelta(minutes=90)).isoformat()
    near = world.query(
        "SELECT instructor_id, car_id FROM driving_lessons WHERE status IN ('booked', 'driven', 'no_show')"
        " AND starts_at > ? AND starts_at < ?", [low, end.isoformat()]
    )
    if any(row["instructor_id"] == instructor["id"] for row in near):
        return False
    cars = world.query(
        "SELECT c.id FROM cars c WHERE c.transmission = ? AND (c.only_instructor_id IS NULL OR c.only_instructor_id = ?)"
        " AND NOT EXISTS (SELECT 1 FROM workshop_periods w WHERE w.car_id = c.id AND ? BETWEEN w.starts_on AND w.ends_on)",
        [transmission, instructor["id"], day],
    )
    return any(all(row["car_id"] != car["id"] for row in near) for car in cars)


def _names(world, p):
    transmission = world.one(
        "SELECT transmission FROM course_packages WHERE pupil_id = 1 AND status = 'active'"
        " AND kind IN ('full_course', 'student_course') ORDER BY id LIMIT 1"
    )["transmission"]
    return [
        one["name"] for one in world.query("SELECT id, name, works_from, works_until FROM instructors ORDER BY id")
        if all(_can(world, one, transmission, start) for start in (p["first_start"], p["second_start"]))
    ]


def instances(world, rng):
    """Two working days and a time at which some of the instructors, but not all, could drive on both."""
    days = [row["day"] for row in world.query(
        "SELECT day FROM calendar_days WHERE day > ? AND day < '2025-12-13' AND is_public_holiday = 0 AND is_closed = 0 ORDER BY day",
        [world.clock[:10]]) if datetime.date.fromisoformat(row["day"]).weekday() != 6]
    lessons = world.query(
        "SELECT substr(starts_at, 1, 10) AS day FROM driving_lessons WHERE status = 'booked' AND starts_at > ? ORDER BY starts_at, id",
        [world.clock])
    lively = sorted({row["day"] for row in lessons if row["day"] in days})
    while True:
        first = rng.choice(lively if rng.random() < 0.7 else days)
        later = [day for day in days if first < day <= (datetime.date.fromisoformat(first) + datetime.timedelta(days=9)).isoformat()]
        if not later:
            continue
        second = rng.choice([day for day in later if day in lively] or later)
        hour = rng.choice(["07:30", "08:00", "08:30", "09:00", "09:30", "10:00", "11:00", "12:00", "13:00", "13:30", "14:00", "15:00",
                           "15:30", "16:00", "16:30", "17:00", "17:30", "18:00", "18:30", "19:00"])
        p = {
            "first": first, "second": second, "time": str(int(hour[:2])) + hour[2:],
            "first_start": f"{first}T{hour}:00", "second_start": f"{second}T{hour}:00",
        }
        if 1 <= len(_names(world, p)) <= 3:
            yield {"p": p}


def solve(tools, p):
    hour, minute = p["time"].split(":")
    starts = [f"{p[name]}T{int(hour):02d}:{minute}:00" for name in ("first", "second")]
    packages = tools.list_course_packages(status="active")["course_packages"]
    course = next(c for c in packages if c["kind"] in ("full_course", "student_course"))
    able = []
    for instructor in tools.list_instructors()["instructors"]:
        fits = True
        for start in starts:
            times = tools.search_lesson_times(
                instructor_id=instructor["id"], transmission=course["transmission"], first_day=start[:10], last_day=start[:10]
            )["lesson_times"]
            if not any(time["starts_at"] == start for time in times):
                fits = False
                break
        if fits:
            able.append(instructor["name"])
    return {
        "outcome": "done",
        "answers": {"instructors": able},
        "reason": None,
        "message": f"At {p['time']} on both days these instructors could take you: {', '.join(able)}.",
    }


def goal_says_who_could_do_it(world, p):
    """Names all instructors who could do it on both days, and no other."""
    return world.report.says("instructors", _names(world.initial, p))


def guard_changes_nothing(world, p):
    """Touches no row."""
    return world.changes == []


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

import datetime


def _gap(one, other):
    return abs(datetime.datetime.fromisoformat(one) - datetime.datetime.fromisoformat(other))


def _iso_week(day):
    return datetime.date.fromisoformat(day[:10]).isocalendar()[:2]


def _first_time(lessons, cars, away, instructor, day, hour):
    """The first half hour from a time on at which the instructor and a car are free, with the cars; or None."""
    at = datetime.datetime.fromisoformat(f"{day}T{max(hour, instructor['works_from'])}:00")
    end = datetime.datetime.fromisoformat(f"{day}T{instructor['works_until']}:00")
    while at + datetime.timedelta(minutes=90) <= end:
        start = at.isoformat()
        near = [row for row in lessons if _gap(row["starts_at"], start) < datetime.timedelta(minutes=90)]
        if not any(row["instructor_id"] == instructor["id"] for row in near):
            fitting = [
                car["id"] for car in cars if car["only_instructor_id"] in (None, instructor["id"])
                and not any(row["car_id"] == car["id"] for row in near)
                and not any(row["car_id"] == car["id"] and row["starts_on"] <= day <= row["ends_on"] for row in away)
            ]
            if fitting:
                return start, fitting
        at += datetime.timedelta(minutes=30)
    return None


def instances(world, rng):
    """A day, a time and two instructors; in part of the cases a fourth lesson ahead or a bill long overdue."""
    course = world.one(
        "SELECT id, instructor_id, transmission, COALESCE(expires_on, '9999-12-31') AS ends FROM course_packages"
        " WHERE pupil_id = 1 AND status = 'active' AND kind IN ('full_course', 'student_course')")
    today = datetime.date.fromisoformat(world.clock[:10])
    days = [row["day"] for row in world.query(
        "SELECT day FROM calendar_days WHERE day BETWEEN ? AND ? AND is_public_holiday = 0 AND is_closed = 0 ORDER BY id",
        [(today + datetime.timedelta(days=1)).isoformat(), (today + datetime.timedelta(days=24)).isoformat()])
        if datetime.date.fromisoformat(row["day"]).weekday() != 6 and row["day"] <= course["ends"]]
    instructors = world.query("SELECT id, name, works_from, works_until FROM instructors ORDER BY name")
    cars = world.query(
        "SELECT id, name, only_instructor_id FROM cars WHERE transmission = ? AND only_instructor_id IS NULL ORDER BY id", [course["transmission"]])
    away = world.query("SELECT car_id, starts_on, ends_on FROM workshop_periods ORDER BY ends_on, id")
    lessons = world.query(
        "SELECT pupil_id, instructor_id, car_id, starts_at FROM driving_lessons WHERE status IN ('booked', 'driven', 'no_show')"
        " ORDER BY id")
    mine = [row for row in lessons if row["pupil_id"] == 1]
    top = {name: row["id"] for name, row in (
        ("lesson", world.one("SELECT MAX(id) AS id FROM driving_lessons")), ("session", world.one("SELECT MAX(id) AS id FROM simulator_sessions")),
        ("charge", world.one("SELECT MAX(id) AS id FROM charges")))}
    now = datetime.datetime.fromisoformat(world.clock)
    while True:
        day = rng.choice(days)
        wanted, second = rng.sample(instructors, 2)
        hour = rng.choice(["08:00", "09:00", "10:00", "11:00", "12:00", "13:00", "14:00", "15:00", "16:00", "16:30", "17:00", "17:30", "18:00"])
        if any(row["starts_at"][:10] == day for row in mine) or sum(_iso_week(row["starts_at"]) == _iso_week(day) for row in mine) >= 2:
            continue
        mode = rng.choice(["book", "book", "book", "ahead", "overdue"])
        given, everybody = {}, lessons
        if mode == "ahead":
            other = rng.choice(days)
            if _iso_week(other) == _iso_week(day) or any(row["starts_at"][:10] == other for row in mine) or sum(
                    _iso_week(row["starts_at"]) == _iso_week(other) for row in mine) >= 2:
                continue
            own = next(one for one in instructors if one["id"] == course["instructor_id"])
            found = _first_time(lessons, cars, away, own, other, rng.choice(["08:00", "10:00", "13:00"]))
            if not found or found[0] <= world.clock:
                continue
            row = {"id": top["lesson"] + 1, "pupil_id": 1, "course_package_id": course["id"], "instructor_id": own["id"], "car_id": found[1][0],
                   "kind": "ordinary", "starts_at": found[0], "status": "booked",
                   "booked_at": (now - datetime.timedelta(days=5, hours=2)).isoformat(), "returned_hours": 0}
            given, everybody = {"driving_lessons": [row]}, lessons + [row]
        elif mode == "overdue":
            driven = datetime.datetime.combine(today - datetime.timedelta(days=rng.randrange(16, 25)), datetime.time(9))
            if driven.weekday() == 6 or world.one("SELECT id FROM simulator_sessions WHERE starts_at = ?", [driven.isoformat()]):
                continue
            booked_at = (driven - datetime.timedelta(days=3)).isoformat()
            given = {
                "simulator_sessions": [{"id": top["session"] + 1, "pupil_id": 1, "starts_at": driven.isoformat(), "status": "driven", "booked_at": booked_at}],
                "charges": [{"id": top["charge"] + 1, "pupil_id": 1, "kind": "simulator", "simulator_session_id": top["session"] + 1,
                             "amount_cents": 35000, "charged_at": booked_at, "due_on": driven.isoformat()[:10], "credited_cents": 0}],
            }
        car = rng.choice(cars)
        first = _first_time(everybody, [car], away, wanted, day, hour)
        found, who = (first, wanted) if first else (_first_time(everybody, [car], away, second, day, hour), second)
        if not found or found[0] <= world.clock:
            continue
        if first and rng.random() < 0.8:
            continue
        instance = {"p": {
            "day": day, "time": str(int(hour[:2])) + hour[2:], "wanted": wanted["name"], "second": second["name"], "mode": mode,
            "start": found[0], "car": car["name"] if car["name"].startswith("Fabia") else "the " + car["name"], "car_id": car["id"],
            "who": who["id"], "name": who["name"], "course": course["id"],
        }}
        if given:
            instance["given"] = given
        if mode != "book":
            instance.update({"kind": "refusal", "rule": "booking_limit_and_overdue"})
        yield instance


def solve(tools, p):
    hour, minute = p["time"].split(":")
    earliest = f"{p['day']}T{int(hour):02d}:{minute}:00"
    packages = tools.list_course_packages(status="active")["course_packages"]
    course = next(c for c in packages if c["kind"] in ("full_course", "student_course"))
    instructors = {i["name"]: i["id"] for i in tools.list_instructors()["instructors"]}
    car_id = next(car["id"] for car in tools.list_cars()["cars"] if p["car"].endswith(car["name"]))
    for name in (p["wanted"], p["second"]):
        times = tools.search_lesson_times(
            instructor_id=instructors[name], transmission=course["transmission"], first_day=p["day"], last_day=p["day"]
        )["lesson_times"]
        fitting = [
            time for time in times if time["starts_at"] >= earliest and any(car["id"] == car_id for car in time["cars"])]
        if fitting:
            break
    chosen = min(fitting, key=lambda time: time["starts_at"])
    try:
        tools.book_driving_lesson(
            course_package_id=course["id"], instructor_id=instructors[name], car_id=car_id, kind="ordinary",
            starts_at=chosen["starts_at"],
        )
    except tools.Error as error:
        return {
            "outcome": "refused",
            "answers": {"instructor": None, "start": None},
            "reason": "booking_limit_and_overdue",
            "message": "No lesson can be booked: nobody books with 4 lessons ahead or with money more than 14 days overdue."
            f" The school says: {error}.",
        }
    start = chosen["starts_at"][11:16]
    return {
        "outcome": "done",
        "answers": {"instructor": name, "start": start},
        "reason": None,
        "message": f"Your lesson on {p['day']} is with {name} and starts at {start}.",
    }


def goal_has_the_lesson(world, p):
    """Has exactly one lesson on that day, the earliest with the right instructor; or the rule is reported."""
    if p["mode"] != "book":
        return world.report.outcome == "refused" and world.report.reason == "booking_limit_and_overdue"
    rows = world.final.query(
        "SELECT * FROM driving_lessons WHERE pupil_id = 1 AND status = 'booked' AND substr(starts_at, 1, 10) = ?", [p["day"]])
    return len(rows) == 1 and rows[0]["starts_at"] == p["start"] and rows[0]["instructor_id"] == p["who"] and (
        rows[0]["car_id"] == p["car_id"] and rows[0]["kind"] == "ordinary" and rows[0]["course_package_id"] == p["course"])


def goal_says_with_whom(world, p):
    """Says with whom the lesson is; empty in a refusal."""
    if p["mode"] != "book":
        return world.report.outcome == "refused" and world.report.says("instructor", None)
    return world.report.says("instructor", p["name"])


def goal_says_when(world, p):
    """Says when the lesson starts; empty in a refusal."""
    if p["mode"] != "book":
        return world.report.outcome == "refused" and world.report.says("start", None)
    return world.report.says("start", p["start"][11:16])


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or the refusal with its rule."""
    if p["mode"] != "book":
        return world.report.outcome is None or (
            world.report.outcome == "refused" and world.report.reason == "booking_limit_and_overdue")
    return world.report.outcome in (None, "done")


def guard_adds_one_lesson_at_most(world, p):
    """Adds one lesson of the user's on that day and changes nothing else; nothing at all in a refusal."""
    if p["mode"] != "book":
        return world.changes == []
    return len(world.changes) <= 1 and all(
        change["table"] == "driving_lessons" and change["before"] is None and change["after"]["pupil_id"] == 1
        and change["after"]["starts_at"][:10] == p["day"] for change in world.changes)

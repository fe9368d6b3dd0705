import datetime


def _around(start):
    at = datetime.datetime.fromisoformat(start)
    return [(at - datetime.timedelta(minutes=90)).isoformat(), (at + datetime.timedelta(minutes=90)).isoformat()]


def _good_days(world, p, count):
    """The first days from a day on, in order, on which the instructor, a car and the simulator are free."""
    instructor = world.one("SELECT * FROM instructors WHERE name = ?", [p["instructor"]])
    transmission = world.one(
        "SELECT transmission FROM course_packages WHERE pupil_id = 1 AND kind IN ('full_course', 'student_course')"
        " AND status = 'active' ORDER BY id")["transmission"]
    found = []
    for row in world.query(
        "SELECT day FROM calendar_days WHERE day >= ? AND is_public_holiday = 0 AND is_closed = 0 ORDER BY day", [p["first"]]
    ):
        day = row["day"]
        if len(found) == count:
            break
        if datetime.date.fromisoformat(day).weekday() == 6:
            continue
        start, end = f"{day}T{p['lesson_hour']}:00", _around(f"{day}T{p['lesson_hour']}:00")[1]
        if p["lesson_hour"] < instructor["works_from"] or end[11:16] > instructor["works_until"]:
            return []
        if world.one(
            "SELECT COUNT(*) AS n FROM driving_lessons WHERE pupil_id = 1 AND status = 'booked' AND substr(starts_at, 1, 10) = ?", [day]
        )["n"]:
            continue
        if world.one(
            "SELECT COUNT(*) AS n FROM simulator_sessions WHERE status <> 'cancelled' AND starts_at = ?", [f"{day}T{p['sim_hour']}:00"]
        )["n"]:
            continue
        near = world.query(
            "SELECT instructor_id, car_id FROM driving_lessons WHERE starts_at > ? AND starts_at < ?"
            " AND status IN ('booked', 'driven', 'no_show')", _around(start))
        if any(one["instructor_id"] == instructor["id"] for one in near):
            continue
        cars = world.query(
            "SELECT id FROM cars WHERE transmission = ? AND (only_instructor_id IS NULL OR only_instructor_id = ?)"
            " AND id NOT IN (SELECT car_id FROM workshop_periods WHERE ? BETWEEN starts_on AND ends_on)",
            [transmission, instructor["id"], day])
        if any(all(one["car_id"] != car["id"] for one in near) for car in cars):
            found.append(day)
    return found


def instances(world, rng):
    """An instructor, two times that do not collide and a first day; other pupils have the simulator on several days."""
    names = [row["name"] for row in world.query("SELECT name FROM instructors ORDER BY id")]
    pupils = [row["id"] for row in world.query("SELECT id FROM pupils WHERE id > 1 ORDER BY name")]
    taken = {row["starts_at"] for row in world.query("SELECT starts_at FROM simulator_sessions WHERE status <> 'cancelled' ORDER BY id")}
    days = [row["day"] for row in world.query(
        "SELECT day FROM calendar_days WHERE day > ? AND day < '2025-12-20' AND is_public_holiday = 0 ORDER BY day", [world.clock[:10]])
        if datetime.date.fromisoformat(row["day"]).weekday() != 6]
    session_id = world.one("SELECT MAX(id) AS id FROM simulator_sessions")["id"]
    charge_id = world.one("SELECT MAX(id) AS id FROM charges")["id"]
    booked_at = (datetime.datetime.fromisoformat(world.clock) - datetime.timedelta(days=3, hours=2)).isoformat()
    pairs = (("08:30", "10:00"), ("09:30", "11:00"), ("10:30", "12:00"), ("13:30", "15:00"), ("15:30", "17:00"), ("16:30", "18:00"),
             ("17:30", "19:00"), ("10:00", "09:00"), ("11:00", "10:00"), ("14:00", "13:00"), ("15:00", "14:00"), ("16:00", "15:00"), ("18:00", "17:00"))
    gears = "an automatic" if world.one(
        "SELECT COUNT(*) AS n FROM course_packages WHERE pupil_id = 1 AND transmission = 'automatic' AND status = 'active'")["n"] else "a manual"
    while True:
        lesson_hour, sim_hour = rng.choice(pairs)
        index = rng.randrange(0, len(days) - 16)
        p = {"instructor": rng.choice(names), "time": str(int(lesson_hour[:2])) + lesson_hour[2:], "hour": str(int(sim_hour[:2])) + sim_hour[2:],
             "first": days[index], "gears": gears, "lesson_hour": lesson_hour, "sim_hour": sim_hour}
        if len(_good_days(world, p, 8)) < 8:
            continue
        window = days[index: index + 15]
        starts = [f"{day}T{sim_hour}:00" for day in window if f"{day}T{sim_hour}:00" not in taken]
        others = sorted(rng.sample(starts, min(len(starts), rng.randrange(4, 11))))
        given = {"simulator_sessions": [], "charges": []}
        for number, start in enumerate(others, 1):
            pupil = pupils[(number * 5 + index) % len(pupils)]
            given["simulator_sessions"].append({
                "id": session_id + number, "pupil_id": pupil, "starts_at": start, "status": "booked", "booked_at": booked_at})
            given["charges"].append({
                "id": charge_id + number, "pupil_id": pupil, "kind": "simulator", "simulator_session_id": session_id + number,
                "amount_cents": 35000, "charged_at": booked_at, "due_on": start[:10], "credited_cents": 0})
        p["found"] = [day for day in _good_days(world, p, 14) if f"{day}T{sim_hour}:00" not in others][:3]
        if len(p["found"]) == 3:
            yield {"p": p, "given": given}


def solve(tools, p):
    hour, minute = p["time"].split(":")
    lesson_hour = f"{int(hour):02d}:{minute}"
    sim_hour = f"{int(p['hour'].split(':')[0]):02d}:00"
    transmission = "automatic" if p["gears"] == "an automatic" else "manual"
    instructor = next(i for i in tools.list_instructors()["instructors"] if i["name"] == p["instructor"])
    own = {l["starts_at"][:10] for l in tools.list_driving_lessons(status="booked")["driving_lessons"]}
    found, day = [], datetime.date.fromisoformat(p["first"])
    for _ in range(8):
        last = day + datetime.timedelta(days=6)
        times = tools.search_lesson_times(
            instructor_id=instructor["id"], transmission=transmission, first_day=day.isoformat(), last_day=last.isoformat()
        )["lesson_times"]
        for time in times:
            one = time["starts_at"][:10]
            if time["starts_at"][11:16] != lesson_hour or one in own or len(found) == 3:
                continue
            free = tools.search_simulator_times(day=one)["simulator_times"]
            if any(slot["starts_at"] == f"{one}T{sim_hour}:00" for slot in free):
                found.append(one)
        if len(found) == 3:
            break
        day = last + datetime.timedelta(days=1)
    return {
        "outcome": "done",
        "answers": {"days": found},
        "reason": None,
        "message": f"The first three days that would work are {', '.join(found)}.",
    }


def goal_says_the_first_three_days(world, p):
    """Names the first three days on which both are free, in order."""
    return world.report.says("days", _good_days(world.initial, p, 3))


def guard_changes_nothing(world, p):
    """Touches no row."""
    return world.changes == []


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

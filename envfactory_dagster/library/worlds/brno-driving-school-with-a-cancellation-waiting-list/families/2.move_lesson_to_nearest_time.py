import datetime

FEE_CENTS = 30000


def _gap(one, other):
    return abs(datetime.datetime.fromisoformat(one) - datetime.datetime.fromisoformat(other))


def _week(day):
    return datetime.date.fromisoformat(day[:10]).isocalendar()[:2]


def _notice(holidays, now, starts_at):
    """Seconds of notice; Sundays and public holidays do not count."""
    at, end, seconds = datetime.datetime.fromisoformat(now), datetime.datetime.fromisoformat(starts_at), 0
    while at < end:
        until = min(datetime.datetime.combine(at.date() + datetime.timedelta(days=1), datetime.time()), end)
        if at.weekday() != 6 and at.date().isoformat() not in holidays:
            seconds += (until - at).total_seconds()
        at = until
    return seconds


def _free_cars(lessons, cars, away, transmission, instructor_id, start, without):
    """The cars free for the instructor at a time, one lesson left out; none where the instructor is not free."""
    near = [row for row in lessons if row["id"] != without and _gap(row["starts_at"], start) < datetime.timedelta(minutes=90)]
    if any(row["instructor_id"] == instructor_id for row in near):
        return []
    return [
        car["id"] for car in cars
        if car["transmission"] == transmission and car["only_instructor_id"] in (None, instructor_id)
        and all(row["car_id"] != car["id"] for row in near)
        and not any(row["car_id"] == car["id"] and row["starts_on"] <= start[:10] <= row["ends_on"] for row in away)
    ]


def _times(day, works_from, works_until):
    at = datetime.datetime.fromisoformat(day + "T" + works_from + ":00")
    end = datetime.datetime.fromisoformat(day + "T" + works_until + ":00")
    while at + datetime.timedelta(minutes=90) <= end:
        yield at.isoformat()
        at += datetime.timedelta(minutes=30)


def instances(world, rng):
    """A lesson of the user's, one of the state or one more, and another day; moved for nothing, for a fee, or into a full week."""
    holidays = {row["day"] for row in world.query(
        "SELECT day FROM calendar_days WHERE is_public_holiday = 1 OR is_closed = 1 ORDER BY day")}
    days = [row["day"] for row in world.query(
        "SELECT day FROM calendar_days WHERE day > ? AND day <= ? ORDER BY day",
        [world.clock[:10], (datetime.date.fromisoformat(world.clock[:10]) + datetime.timedelta(days=26)).isoformat()])
        if row["day"] not in holidays and datetime.date.fromisoformat(row["day"]).weekday() != 6]
    course = world.one(
        "SELECT id, instructor_id, transmission, COALESCE(expires_on, '9999-12-31') AS last_day FROM course_packages"
        " WHERE pupil_id = 1 AND status = 'active' AND kind IN ('full_course', 'student_course')")
    instructors = {row["id"]: row for row in world.query("SELECT id, works_from, works_until FROM instructors ORDER BY id")}
    cars = world.query("SELECT id, transmission, only_instructor_id FROM cars ORDER BY id")
    away = world.query("SELECT car_id, starts_on, ends_on FROM workshop_periods ORDER BY car_id, id")
    lessons = world.query(
        "SELECT id, pupil_id, instructor_id, car_id, starts_at, status, course_package_id FROM driving_lessons"
        " WHERE status IN ('booked', 'driven', 'no_show') AND starts_at > ? ORDER BY starts_at, id", ["2025-09-01"])
    mine = [row for row in lessons if row["pupil_id"] == 1]
    booked = [row for row in mine if row["starts_at"] > world.clock]
    new_id = world.one("SELECT MAX(id) AS id FROM driving_lessons")["id"] + 1
    booked_at = (datetime.datetime.fromisoformat(world.clock) - datetime.timedelta(days=6, hours=1)).isoformat()

    def extra(day, hour):
        """One more lesson of the user's on the course, or None where it does not fit."""
        start, one = f"{day}T{hour}:00", instructors[course["instructor_id"]]
        if start not in list(_times(day, one["works_from"], one["works_until"])) or day > course["last_day"]:
            return None
        if any(row["starts_at"][:10] == day for row in mine) or sum(_week(row["starts_at"]) == _week(day) for row in mine) >= 2:
            return None
        fitting = _free_cars(lessons, [car for car in cars if car["only_instructor_id"] is None], away, course["transmission"], one["id"], start, None)
        if not fitting:
            return None
        return {"id": new_id, "pupil_id": 1, "course_package_id": course["id"], "instructor_id": one["id"], "car_id": rng.choice(fitting),
                "kind": "ordinary", "starts_at": start, "status": "booked", "booked_at": booked_at, "returned_hours": 0}

    while True:
        mode = rng.choice(["plain", "fee", "fee", "fee", "full", "full"])
        given, old = None, rng.choice(booked)
        if mode != "plain":
            day = rng.choice(days[:4] if mode == "fee" else days)
            given = extra(day, rng.choice(["07:30", "08:00", "08:30", "09:00", "09:30", "10:00", "11:00", "13:00", "15:00"]))
            if given is None:
                continue
            if mode == "fee":
                old = dict(given)
        seconds = _notice(holidays, world.clock, old["starts_at"])
        if seconds < 24.5 * 3600 or abs(seconds - 48 * 3600) < 1800 or (mode == "fee") != (seconds < 48 * 3600):
            continue
        everybody = lessons + ([given] if given else [])
        own = [row for row in mine + ([given] if given else []) if row["id"] != old["id"]]
        new_day = rng.choice([day for day in days if _week(day) == _week(given["starts_at"])] if mode == "full" else days)
        if new_day == old["starts_at"][:10] or new_day > course["last_day"] or any(row["starts_at"][:10] == new_day for row in own):
            continue
        in_week = sum(_week(row["starts_at"]) == _week(new_day) for row in own)
        if (mode == "full") != (in_week >= 2):
            continue
        wanted = rng.choice(["7:00", "8:00", "9:00", "10:00", "11:30", "12:00", "13:30", "14:00", "15:00", "16:00", "17:00", "17:30", "18:00", "18:30"])
        wish = f"{new_day}T{int(wanted.split(':')[0]):02d}:{wanted.split(':')[1]}:00"
        one = instructors[old["instructor_id"]]
        choices = []
        for start in _times(new_day, one["works_from"], one["works_until"]):
            fitting = _free_cars(everybody, cars, away, course["transmission"], one["id"], start, None)
            if old["car_id"] in fitting:
                choices.append((_gap(start, wish), start))
        choices.sort()
        if not choices or (len(choices) > 1 and choices[0][0] == choices[1][0]):
            continue
        p = {"old": old["starts_at"][:10], "new": new_day, "time": wanted, "lesson": old["id"], "package": old["course_package_id"], "mode": mode,
             "start": choices[0][1], "car": old["car_id"]}
        instance = {"p": p}
        if given:
            instance["given"] = {"driving_lessons": [given]}
        if mode == "full":
            instance.update({"kind": "refusal", "rule": "lessons_per_week"})
        yield instance


def solve(tools, p):
    lesson = tools.list_driving_lessons(status="booked", first_day=p["old"], last_day=p["old"])["driving_lessons"][0]
    cars = {car["id"]: car for car in tools.list_cars()["cars"]}
    times = tools.search_lesson_times(
        instructor_id=lesson["instructor_id"], transmission=cars[lesson["car_id"]]["transmission"],
        first_day=p["new"], last_day=p["new"],
    )["lesson_times"]
    hour, minute = p["time"].split(":")
    wish = int(hour) * 60 + int(minute)
    times = [time for time in times if any(car["id"] == lesson["car_id"] for car in time["cars"])]
    best = min(times, key=lambda t: abs(int(t["starts_at"][11:13]) * 60 + int(t["starts_at"][14:16]) - wish))
    try:
        moved = tools.move_driving_lesson(driving_lesson_id=lesson["id"], starts_at=best["starts_at"], car_id=lesson["car_id"])
    except tools.Error as error:
        return {
            "outcome": "refused",
            "answers": {"new_time": None, "fee": None},
            "reason": "lessons_per_week",
            "message": f"The lesson cannot be moved to {p['new']}: a pupil may have at most 2 lessons in a week, or 3 in the 14 days"
            f" before a confirmed exam. The school says: {error}.",
        }
    start = best["starts_at"][11:16]
    return {
        "outcome": "done",
        "answers": {"new_time": start, "fee": moved["fee_cents"]},
        "reason": None,
        "message": f"Your lesson is now on {p['new']} at {start}. Moving it costs {moved['fee_cents'] // 100} CZK.",
    }


def goal_lesson_is_where_it_belongs(world, p):
    """The lesson is moved to the nearest free time in the same car with the fee due, or the rule is reported."""
    if p["mode"] == "full":
        return world.report.outcome == "refused" and world.report.reason == "lessons_per_week"
    old = world.final.one("SELECT * FROM driving_lessons WHERE id = ?", [p["lesson"]])
    new = world.final.query(
        "SELECT * FROM driving_lessons WHERE moved_from_driving_lesson_id = ? AND pupil_id = 1 AND status = 'booked'", [p["lesson"]])
    return old["status"] == "moved" and old["ended_by"] == "pupil" and len(new) == 1 and new[0]["starts_at"] == p["start"] and (
        new[0]["car_id"] == p["car"] and new[0]["instructor_id"] == old["instructor_id"] and new[0]["kind"] == old["kind"]
        and new[0]["course_package_id"] == old["course_package_id"])


def goal_says_the_new_time(world, p):
    """Says when the moved lesson begins; empty where it is not moved."""
    if p["mode"] == "full":
        return world.report.outcome == "refused" and world.report.says("new_time", None)
    return world.report.says("new_time", p["start"][11:16])


def goal_says_the_fee(world, p):
    """Says what moving costs, 0 where it is free; empty where it is not moved."""
    if p["mode"] == "full":
        return world.report.outcome == "refused" and world.report.says("fee", None)
    return world.report.says("fee", FEE_CENTS if p["mode"] == "fee" else 0)


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or the refusal with its rule."""
    if p["mode"] == "full":
        return world.report.outcome is None or (world.report.outcome == "refused" and world.report.reason == "lessons_per_week")
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world, p):
    """Touches only the moved lesson, one new lesson in its place, its fee and the first move of its package; else nothing."""
    if p["mode"] == "full":
        return world.changes == []
    new = fees = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] == "course_packages" and before and after and before["id"] == p["package"] and (
            before["free_move_used_at"] is None and all(before[name] == after[name] for name in before if name != "free_move_used_at")
        ):
            continue
        if change["table"] == "charges" and before is None and p["mode"] == "fee" and (
            after["pupil_id"] == 1 and after["kind"] == "lesson_moved" and after["driving_lesson_id"] == p["lesson"]
            and after["amount_cents"] == FEE_CENTS and after["credited_cents"] == 0
        ):
            fees += 1
            continue
        if change["table"] != "driving_lessons" or after is None:
            return False
        if before is None:
            new += 1
            if after["pupil_id"] != 1 or after["moved_from_driving_lesson_id"] != p["lesson"]:
                return False
        elif before["id"] != p["lesson"] or any(
            before[name] != after[name] and name not in ("status", "ended_by", "cancelled_at") for name in before
        ):
            return False
    return new <= 1 and fees <= 1

import datetime

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")


def _minutes_apart(one, other):
    return abs((datetime.datetime.fromisoformat(one) - datetime.datetime.fromisoformat(other)).total_seconds()) / 60


def _days(p):
    day, last = datetime.date.fromisoformat(p["first"]), datetime.date.fromisoformat(p["last"])
    while day <= last:
        if WEEKDAYS[day.weekday() % 6] == p["weekday"] and day.weekday() != 6:
            yield day.isoformat()
        day += datetime.timedelta(days=1)


def _has_room(day, at, transmission, staff, cars, lessons, away):
    """Whether any instructor has the time free with a car."""
    start = f"{day}T{at}:00"
    end = (datetime.datetime.fromisoformat(start) + datetime.timedelta(minutes=90)).isoformat()[11:16]
    near = [row for row in lessons.get(day, ()) if _minutes_apart(row["starts_at"], start) < 90]
    for one in staff:
        if at < one["works_from"] or end > one["works_until"] or any(row["instructor_id"] == one["id"] for row in near):
            continue
        for car in cars:
            if car["transmission"] == transmission and car["only_instructor_id"] in (None, one["id"]) and not any(
                row["car_id"] == car["id"] for row in near
            ) and not any(row["car_id"] == car["id"] and row["starts_on"] <= day <= row["ends_on"] for row in away):
                return True
    return False


def _full_days(world, p):
    staff = world.query("SELECT id, works_from, works_until FROM instructors")
    cars = world.query("SELECT id, transmission, only_instructor_id FROM cars")
    lessons = world.query(
        "SELECT instructor_id, car_id, starts_at FROM driving_lessons WHERE status IN ('booked', 'driven', 'no_show')"
        " AND starts_at >= ?", [p["first"]])
    by_day = {}
    for row in lessons:
        by_day.setdefault(row["starts_at"][:10], []).append(row)
    away = world.query("SELECT car_id, starts_on, ends_on FROM workshop_periods")
    transmission = "automatic" if p["gears"] == "an automatic" else "manual"
    return [day for day in _days(p) if not _has_room(day, p["at"], transmission, staff, cars, by_day, away)]


def instances(world, rng):
    """A weekday, a time and some weeks; other pupils have the cars on some of the days."""
    transmission = world.one(
        "SELECT transmission FROM course_packages WHERE pupil_id = 1 AND kind IN ('full_course', 'student_course') ORDER BY bought_at DESC")["transmission"]
    staff = world.query("SELECT id, works_from, works_until FROM instructors ORDER BY works_until, id")
    cars = world.query("SELECT id, transmission, only_instructor_id FROM cars ORDER BY name")
    away = world.query("SELECT car_id, starts_on, ends_on FROM workshop_periods ORDER BY starts_on")
    lessons = world.query(
        "SELECT pupil_id, course_package_id, instructor_id, car_id, starts_at FROM driving_lessons"
        " WHERE status IN ('booked', 'driven', 'no_show') ORDER BY starts_at DESC, id")
    used = {}
    for row in lessons:
        used[row["course_package_id"]] = used.get(row["course_package_id"], 0) + 2
    packages = [row for row in world.query(
        "SELECT id, pupil_id, hours_included, COALESCE(expires_on, '9999-12-31') AS ends FROM course_packages WHERE pupil_id <> 1"
        " AND status = 'active' AND transmission = ? AND first_lesson_on IS NOT NULL ORDER BY pupil_id, id", [transmission])
        if row["hours_included"] - used.get(row["id"], 0) >= 2]
    closed = {row["day"] for row in world.query("SELECT day FROM calendar_days WHERE is_public_holiday = 1 OR is_closed = 1")}
    waiting = {row["from_on"] for row in world.query(
        "SELECT from_on FROM waiting_list_entries WHERE pupil_id = 1 AND status IN ('waiting', 'offered') AND from_on = until_on")}
    own = {row["starts_at"][:10] for row in lessons if row["pupil_id"] == 1}
    standing, starts = {}, {}
    for row in lessons:
        standing.setdefault(row["starts_at"][:10], []).append(row)
        starts.setdefault(row["pupil_id"], []).append(row["starts_at"])
    top = world.one("SELECT MAX(id) AS top FROM driving_lessons")["top"]
    now = datetime.datetime.fromisoformat(world.clock)
    while True:
        weekday = rng.randrange(6)
        at = rng.choice(["08:00", "09:00", "10:00", "13:00", "14:30", "15:00", "16:00", "16:30", "17:00", "17:30", "18:00", "18:30"])
        first = now.date() + datetime.timedelta(days=rng.randrange(1, 12))
        p = {"weekday": WEEKDAYS[weekday], "time": str(int(at[:2])) + at[2:], "at": at, "gears": "an automatic" if transmission == "automatic" else "a manual",
             "first": first.isoformat(), "last": (first + datetime.timedelta(days=rng.randrange(27, 41))).isoformat()}
        days = list(_days(p))
        if p["last"] >= "2025-12-23" or any(day in closed for day in days):
            continue
        everybody, given = {day: list(standing.get(day, ())) for day in days}, []
        for day in days:
            if rng.random() < 0.55:
                continue
            start = f"{day}T{at}:00"
            for one in staff:
                if not _has_room(day, at, transmission, [one], cars, everybody, away):
                    continue
                for package in packages:
                    theirs = starts.get(package["pupil_id"], []) + [row["starts_at"] for row in given if row["pupil_id"] == package["pupil_id"]]
                    week = [other for other in theirs
                            if datetime.date.fromisoformat(other[:10]).isocalendar()[:2] == datetime.date.fromisoformat(day).isocalendar()[:2]]
                    if len(week) < 2 and day <= package["ends"] and not any(other[:10] == day for other in week) and (
                            sum(other > world.clock for other in theirs) < 4 and package["id"] not in [row["course_package_id"] for row in given]):
                        break
                else:
                    continue
                near = [row["car_id"] for row in everybody[day] if _minutes_apart(row["starts_at"], start) < 90]
                fitting = [car["id"] for car in cars if car["transmission"] == transmission and car["only_instructor_id"] in (None, one["id"])
                           and car["id"] not in near and not any(row["car_id"] == car["id"] and row["starts_on"] <= day <= row["ends_on"] for row in away)]
                row = {"id": top + 1 + len(given), "pupil_id": package["pupil_id"], "course_package_id": package["id"], "instructor_id": one["id"],
                       "car_id": fitting[0], "kind": "ordinary", "starts_at": start, "status": "booked",
                       "booked_at": (now - datetime.timedelta(days=rng.randrange(1, 9), minutes=rng.randrange(1, 300))).isoformat(timespec="seconds"),
                       "returned_hours": 0}
                given.append(row)
                everybody[day].append(row)
                if not _has_room(day, at, transmission, staff, cars, everybody, away):
                    break
        full = [day for day in days if not _has_room(day, at, transmission, staff, cars, everybody, away)]
        if not 2 <= len(full) <= 3 or len(full) == len(days) or any(day in waiting or day in own for day in full):
            continue
        instance = {"p": p}
        if given:
            instance["given"] = {"driving_lessons": given}
        yield instance


def solve(tools, p):
    transmission = "automatic" if p["gears"] == "an automatic" else "manual"
    hour, minute = p["time"].split(":")
    instructors = tools.list_instructors()["instructors"]
    full = []
    for day in _days(p):
        start = f"{day}T{int(hour):02d}:{minute}:00"
        for one in instructors:
            times = tools.search_lesson_times(
                instructor_id=one["id"], transmission=transmission, first_day=day, last_day=day)["lesson_times"]
            if any(time["starts_at"] == start for time in times):
                break
        else:
            full.append(day)
    for day in full:
        tools.join_waiting_list(kind="ordinary", from_on=day, until_on=day)
    return {
        "outcome": "done",
        "answers": {"days": full},
        "reason": None,
        "message": f"You are on the waiting list for {', '.join(full)}; at {p['time']} these days are full.",
    }


def goal_waits_for_every_full_day(world, p):
    """Waits for an ordinary lesson on each of the full days, with one entry for each day."""
    for day in _full_days(world.initial, p):
        rows = world.final.query(
            "SELECT id FROM waiting_list_entries WHERE pupil_id = 1 AND kind = 'ordinary' AND status = 'waiting' AND from_on = ? AND until_on = ?",
            [day, day])
        if len(rows) != 1:
            return False
    return True


def goal_says_which_days(world, p):
    """Says for which days the person waits."""
    return world.report.says("days", _full_days(world.initial, p))


def guard_adds_only_these_entries(world, p):
    """Adds at most one entry on the waiting list for each full day and changes nothing else."""
    full, seen = _full_days(world.initial, p), []
    for change in world.changes:
        after = change["after"]
        if change["table"] != "waiting_list_entries" or change["before"] is not None or after is None:
            return False
        if after["pupil_id"] != 1 or after["kind"] != "ordinary" or after["from_on"] != after["until_on"] or after["from_on"] not in full:
            return False
        seen.append(after["from_on"])
    return len(seen) == len(set(seen))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

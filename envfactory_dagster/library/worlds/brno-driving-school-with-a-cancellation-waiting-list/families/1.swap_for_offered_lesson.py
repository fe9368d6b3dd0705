import datetime


def _live(world):
    return world.query(
        "SELECT pupil_id, instructor_id, car_id, starts_at FROM driving_lessons WHERE status IN ('booked', 'driven', 'no_show')"
        " ORDER BY starts_at, id"
    )


def _apart(one, other):
    gap = abs(datetime.datetime.fromisoformat(one) - datetime.datetime.fromisoformat(other))
    return gap >= datetime.timedelta(minutes=90)


def _week(day):
    return datetime.date.fromisoformat(day[:10]).isocalendar()[:2]


def _notice_hours(holidays, now, starts_at):
    """Hours between two moments without Sundays and public holidays."""
    at, end, seconds = datetime.datetime.fromisoformat(now), datetime.datetime.fromisoformat(starts_at), 0
    while at < end:
        midnight = datetime.datetime.combine(at.date() + datetime.timedelta(days=1), datetime.time())
        until = min(midnight, end)
        if at.weekday() != 6 and at.date().isoformat() not in holidays:
            seconds += (until - at).total_seconds()
        at = until
    return seconds / 3600


def instances(world, rng):
    """A lesson another pupil gave up, offered to the user this morning, in time or too long ago."""
    course = world.one(
        "SELECT id, transmission, expires_on FROM course_packages WHERE pupil_id = 1 AND status = 'active'"
        " AND kind IN ('full_course', 'student_course')"
    )
    owners = world.query(
        "SELECT p.pupil_id, p.id AS package_id, p.instructor_id, i.works_from, i.works_until FROM course_packages p"
        " JOIN instructors i ON i.id = p.instructor_id WHERE p.pupil_id <> 1 AND p.status = 'active' AND p.transmission = ?"
        " AND p.first_lesson_on IS NOT NULL AND p.kind IN ('full_course', 'student_course') ORDER BY p.id",
        [course["transmission"]],
    )
    cars = world.query(
        "SELECT id FROM cars WHERE transmission = ? AND only_instructor_id IS NULL ORDER BY id", [course["transmission"]]
    )
    away = world.query("SELECT car_id, starts_on, ends_on FROM workshop_periods ORDER BY id")
    days = world.query(
        "SELECT day FROM calendar_days WHERE day > ? AND day <= ? AND is_public_holiday = 0 AND is_closed = 0 ORDER BY day",
        [world.clock[:10], (datetime.date.fromisoformat(world.clock[:10]) + datetime.timedelta(days=24)).isoformat()],
    )
    holidays = {row["day"] for row in world.query("SELECT day FROM calendar_days WHERE is_public_holiday = 1 ORDER BY day")}
    live = _live(world)
    mine = [row for row in live if row["pupil_id"] == 1]
    booked = [row for row in mine if row["starts_at"] > world.clock]
    top = {
        "lesson": world.one("SELECT MAX(id) AS id FROM driving_lessons")["id"],
        "entry": world.one("SELECT MAX(id) AS id FROM waiting_list_entries")["id"],
        "offer": world.one("SELECT MAX(id) AS id FROM lesson_offers")["id"],
    }
    now = datetime.datetime.fromisoformat(world.clock)
    free_days = [row["day"] for row in days if datetime.date.fromisoformat(row["day"]).weekday() != 6][2:]
    while True:
        day, owner, other = rng.choice(free_days), rng.choice(owners), rng.choice(booked)
        hour = rng.choice(["08:00", "09:00", "09:30", "10:30", "11:00", "13:00", "13:30", "14:30", "15:00", "16:00", "16:30", "17:30"])
        start = day + "T" + hour + ":00"
        end = (datetime.datetime.fromisoformat(start) + datetime.timedelta(minutes=90)).isoformat()
        if hour < owner["works_from"] or end[11:16] > owner["works_until"] or (course["expires_on"] or "9") < day:
            continue
        if any(row["starts_at"][:10] == day for row in mine) or sum(_week(row["starts_at"]) == _week(day) for row in mine) >= 2:
            continue
        if any(row["instructor_id"] == owner["instructor_id"] and not _apart(row["starts_at"], start) for row in live):
            continue
        fitting = [
            car["id"] for car in cars
            if not any(row["car_id"] == car["id"] and not _apart(row["starts_at"], start) for row in live)
            and not any(row["car_id"] == car["id"] and row["starts_on"] <= day <= row["ends_on"] for row in away)
        ]
        if not fitting:
            continue
        stale = rng.random() < 0.35
        minutes = rng.choice(range(190, 240, 5)) if stale else rng.choice(range(15, 171, 5))
        sent = now - datetime.timedelta(minutes=minutes)
        given_up = (sent - datetime.timedelta(minutes=rng.choice([5, 10, 15, 20]))).isoformat()
        lesson_id, entry_id, offer_id = top["lesson"] + 1, top["entry"] + 1, top["offer"] + 1
        notice = _notice_hours(holidays, world.clock, other["starts_at"])
        if 47 <= notice <= 49:
            continue
        p = {
            "sent": str(sent.hour) + ":" + sent.isoformat()[14:16], "day": day, "time": str(int(hour[:2])) + hour[2:],
            "other": other["starts_at"][:10], "offer": offer_id, "entry": entry_id, "start": start, "car": rng.choice(fitting),
            "instructor": owner["instructor_id"], "course": course["id"], "stale": stale, "free": notice > 48,
        }
        instance = {"p": p, "given": {
            "driving_lessons": [{
                "id": lesson_id, "pupil_id": owner["pupil_id"], "course_package_id": owner["package_id"],
                "instructor_id": owner["instructor_id"], "car_id": p["car"], "kind": "ordinary", "starts_at": start,
                "status": "cancelled", "booked_at": (now - datetime.timedelta(days=9, hours=2)).isoformat(),
                "ended_by": "pupil", "cancelled_at": given_up, "returned_hours": 0,
            }],
            "waiting_list_entries": [{
                "id": entry_id, "pupil_id": 1, "kind": "ordinary", "from_on": day, "until_on": day,
                "asked_at": (now - datetime.timedelta(days=4, hours=3)).isoformat(), "status": "offered",
            }],
            "lesson_offers": [{
                "id": offer_id, "pupil_id": 1, "waiting_list_entry_id": entry_id, "freed_driving_lesson_id": lesson_id,
                "sent_at": sent.isoformat(), "status": "open",
            }],
        }}
        if stale:
            instance.update({"kind": "refusal", "rule": "offer_stands_three_hours"})
        yield instance


def solve(tools, p):
    hour, minute = p["time"].split(":")
    start = f"{p['day']}T{int(hour):02d}:{minute}:00"
    offers = tools.list_lesson_offers(status="open")["lesson_offers"]
    offer = next(o for o in offers if o["starts_at"] == start)
    packages = tools.list_course_packages(status="active")["course_packages"]
    course = next(c for c in packages if c["kind"] in ("full_course", "student_course"))
    instructors = {i["id"]: i["name"] for i in tools.list_instructors()["instructors"]}
    try:
        tools.accept_lesson_offer(lesson_offer_id=offer["id"], course_package_id=course["id"])
    except tools.Error as error:
        return {
            "outcome": "refused",
            "answers": {"instructor": None, "other_lesson_dropped": None},
            "reason": "offer_stands_three_hours",
            "message": "The lesson could not be taken: an offer stands for three hours after the text message or until 19:00."
            f" The school says: {error}. Your other lesson stays as it is.",
        }
    booked = tools.list_driving_lessons(status="booked", first_day=p["other"], last_day=p["other"])["driving_lessons"]
    other = booked[0]
    fee = tools.get_lesson_change_fee(driving_lesson_id=other["id"])
    dropped = fee["cancel_fee_cents"] == 0 and not fee["would_forfeit"]
    if dropped:
        tools.cancel_driving_lesson(driving_lesson_id=other["id"])
    name = instructors[offer["instructor_id"]]
    return {
        "outcome": "done",
        "answers": {"instructor": name, "other_lesson_dropped": dropped},
        "reason": None,
        "message": f"You have the lesson on {p['day']} at {p['time']} with {name}."
        f" Your lesson on {p['other']} is {'dropped free of charge' if dropped else 'still on, since dropping it is not free'}.",
    }


def _other(world, p):
    return world.initial.one(
        "SELECT id FROM driving_lessons WHERE pupil_id = 1 AND status = 'booked' AND substr(starts_at, 1, 10) = ?", [p["other"]]
    )["id"]


def goal_offer_is_dealt_with(world, p):
    """The offer is accepted and its entry filled, or the refusal is reported with the rule."""
    if p["stale"]:
        return world.report.outcome == "refused" and world.report.reason == "offer_stands_three_hours"
    offer = world.final.one("SELECT status FROM lesson_offers WHERE id = ?", [p["offer"]])["status"]
    return offer == "accepted" and world.final.one(
        "SELECT status FROM waiting_list_entries WHERE id = ?", [p["entry"]])["status"] == "filled"


def goal_lessons_are_right(world, p):
    """Has the offered lesson once on the course, and the other lesson only if it was not free to drop."""
    if p["stale"]:
        return world.report.outcome == "refused"
    count = world.final.one(
        "SELECT COUNT(*) AS n FROM driving_lessons WHERE pupil_id = 1 AND status = 'booked' AND starts_at = ?"
        " AND instructor_id = ? AND car_id = ? AND kind = 'ordinary' AND course_package_id = ?",
        [p["start"], p["instructor"], p["car"], p["course"]],
    )["n"]
    other = world.final.one("SELECT status, ended_by FROM driving_lessons WHERE id = ?", [_other(world, p)])
    if p["free"]:
        return count == 1 and other["status"] == "cancelled" and other["ended_by"] == "pupil"
    return count == 1 and other["status"] == "booked"


def goal_says_who(world, p):
    """Says with whom the lesson is, or leaves it empty in a refusal."""
    if p["stale"]:
        return world.report.outcome == "refused" and world.report.says("instructor", None)
    name = world.initial.one("SELECT name FROM instructors WHERE id = ?", [p["instructor"]])["name"]
    return world.report.says("instructor", name)


def goal_says_whether_the_other_is_off(world, p):
    """Says whether the other lesson was dropped, or leaves it empty in a refusal."""
    if p["stale"]:
        return world.report.outcome == "refused" and world.report.says("other_lesson_dropped", None)
    return world.report.says("other_lesson_dropped", p["free"])


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or the refusal with its rule."""
    if p["stale"]:
        return world.report.outcome is None or (
            world.report.outcome == "refused" and world.report.reason == "offer_stands_three_hours")
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world, p):
    """Touches nothing but the offer, its entry, one new lesson and the other lesson if it is free to drop."""
    if p["stale"]:
        return world.changes == []
    new = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if before is None:
            new += 1
            if change["table"] != "driving_lessons" or after["pupil_id"] != 1:
                return False
            continue
        changed = {name for name in before if before[name] != after[name]}
        if change["table"] == "lesson_offers" and before["id"] == p["offer"]:
            allowed = {"status", "answered_at"}
        elif change["table"] == "waiting_list_entries" and before["id"] == p["entry"]:
            allowed = {"status"}
        elif change["table"] == "driving_lessons" and p["free"] and before["id"] == _other(world, p):
            allowed = {"status", "ended_by", "cancelled_at"}
        else:
            return False
        if not changed <= allowed:
            return False
    return new <= 1

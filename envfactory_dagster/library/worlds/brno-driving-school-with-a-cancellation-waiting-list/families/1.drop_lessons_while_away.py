import datetime

FEE_CENTS = 30000


def _notice(holidays, now, starts_at):
    """Seconds of notice; Sundays and public holidays do not count."""
    at, end, seconds = datetime.datetime.fromisoformat(now), datetime.datetime.fromisoformat(starts_at), 0
    while at < end:
        until = min(datetime.datetime.combine(at.date() + datetime.timedelta(days=1), datetime.time()), end)
        if at.weekday() != 6 and at.date().isoformat() not in holidays:
            seconds += (until - at).total_seconds()
        at = until
    return seconds


def _fee(seconds):
    """What dropping costs in cents, or None where the lesson is forfeited."""
    if seconds > 48 * 3600:
        return 0
    return FEE_CENTS if seconds >= 24 * 3600 else None


def instances(world, rng):
    """A period with lessons of the user's, one more than the state has, some of them too late to drop."""
    holidays = {row["day"] for row in world.query("SELECT day FROM calendar_days WHERE is_public_holiday = 1 ORDER BY id")}
    closed = {row["day"] for row in world.query("SELECT day FROM calendar_days WHERE is_closed = 1 ORDER BY id")}
    course = world.one(
        "SELECT id, instructor_id, transmission, expires_on FROM course_packages WHERE pupil_id = 1 AND status = 'active'"
        " AND kind IN ('full_course', 'student_course') ORDER BY bought_at LIMIT 1"
    )
    hours = world.one("SELECT works_from, works_until FROM instructors WHERE id = ?", [course["instructor_id"]])
    cars = [row["id"] for row in world.query(
        "SELECT id FROM cars WHERE transmission = ? AND only_instructor_id IS NULL ORDER BY name", [course["transmission"]])]
    away = world.query("SELECT car_id, starts_on, ends_on FROM workshop_periods ORDER BY starts_on, id")
    lessons = world.query(
        "SELECT id, pupil_id, instructor_id, car_id, starts_at, status FROM driving_lessons"
        " WHERE status IN ('booked', 'driven', 'no_show') ORDER BY id")
    mine = [row for row in lessons if row["pupil_id"] == 1]
    booked = [row for row in mine if row["status"] == "booked"]
    new_id = world.one("SELECT MAX(id) + 1 AS id FROM driving_lessons")["id"]
    today = datetime.date.fromisoformat(world.clock[:10])
    booked_at = (datetime.datetime.fromisoformat(world.clock) - datetime.timedelta(days=6, hours=1)).isoformat()
    while True:
        day = (today + datetime.timedelta(days=rng.choice([1, 2, 2, 3, 3, 3, 4, 5, 7, 9, 12, 14, 15, 16]))).isoformat()
        hour = rng.choice(["07:30", "08:00", "08:30", "09:00", "09:30", "10:00", "12:00", "13:00", "14:00", "15:00", "16:00", "16:30"])
        start = f"{day}T{hour}:00"
        at = datetime.datetime.fromisoformat(start)
        end = at + datetime.timedelta(minutes=90)
        if at.weekday() == 6 or day in holidays or day in closed or (course["expires_on"] or "9") < day:
            continue
        if hour < hours["works_from"] or end.isoformat()[11:16] > hours["works_until"]:
            continue
        week = at.isocalendar()[:2]
        if any(row["starts_at"][:10] == day for row in mine) or sum(
                datetime.datetime.fromisoformat(row["starts_at"]).isocalendar()[:2] == week for row in mine) >= 2:
            continue
        near = [row for row in lessons if abs(datetime.datetime.fromisoformat(row["starts_at"]) - at) < datetime.timedelta(minutes=90)]
        if any(row["instructor_id"] == course["instructor_id"] for row in near):
            continue
        fitting = [car for car in cars if all(row["car_id"] != car for row in near) and not any(
            row["car_id"] == car and row["starts_on"] <= day <= row["ends_on"] for row in away)]
        if not fitting:
            continue
        all_mine = [(row["id"], row["starts_at"]) for row in booked] + [(new_id, start)]
        first = (today + datetime.timedelta(days=rng.choice([1, 1, 1, 2, 2, 3]))).isoformat()
        last = (datetime.date.fromisoformat(first) + datetime.timedelta(days=rng.randrange(3, 18))).isoformat()
        inside = [pair for pair in all_mine if first <= pair[1][:10] <= last]
        limit = rng.choice([0, FEE_CENTS])
        fees = {lesson: _fee(_notice(holidays, world.clock, starts_at)) for lesson, starts_at in inside}
        dropped = [pair for pair in inside if fees[pair[0]] is not None and fees[pair[0]] <= limit]
        if not dropped or len(dropped) == len(inside):
            continue
        yield {
            "p": {
                "first": first, "last": last, "cost": "no more than 300 crowns each" if limit else "nothing",
                "kept": sorted(pair[1][:10] for pair in inside if pair not in dropped), "dropped": [pair[0] for pair in dropped],
                "days": sorted(pair[1][:10] for pair in dropped),
                "charged": [pair[0] for pair in dropped if fees[pair[0]] > 0],
            },
            "given": {"driving_lessons": [{
                "id": new_id, "pupil_id": 1, "course_package_id": course["id"], "instructor_id": course["instructor_id"],
                "car_id": rng.choice(fitting), "kind": "ordinary", "starts_at": start, "status": "booked",
                "booked_at": booked_at, "returned_hours": 0,
            }]},
        }


def solve(tools, p):
    most = FEE_CENTS if "300" in p["cost"] else 0
    lessons = tools.list_driving_lessons(status="booked", first_day=p["first"], last_day=p["last"])["driving_lessons"]
    dropped, kept = [], []
    for lesson in lessons:
        fee = tools.get_lesson_change_fee(driving_lesson_id=lesson["id"])
        if fee["would_forfeit"] or fee["cancel_fee_cents"] > most:
            kept.append(lesson["starts_at"][:10])
            continue
        tools.cancel_driving_lesson(driving_lesson_id=lesson["id"])
        dropped.append(lesson["starts_at"][:10])
    return {
        "outcome": "done",
        "answers": {"dropped_days": dropped, "kept_days": kept},
        "reason": None,
        "message": f"Called off: {', '.join(dropped)}. Still on: {', '.join(kept)}.",
    }


def goal_drops_what_may_go(world, p):
    """All lessons that may go are cancelled by the pupil."""
    rows = [world.final.one("SELECT status, ended_by FROM driving_lessons WHERE id = ?", [lesson]) for lesson in p["dropped"]]
    return all(row["status"] == "cancelled" and row["ended_by"] == "pupil" for row in rows)


def goal_says_which_days_are_off(world, p):
    """Says the days of the lessons that were cancelled."""
    return world.report.says("dropped_days", p["days"])


def goal_says_which_days_are_left(world, p):
    """Says the days on which a lesson still stands."""
    return world.report.says("kept_days", p["kept"])


def guard_charges_only_the_fees(world, p):
    """Charges a fee of 300 crowns only for lessons that cost one, once each."""
    new = [change["after"] for change in world.changes if change["table"] == "charges"]
    return len({row["driving_lesson_id"] for row in new}) == len(new) and all(
        change["before"] is None for change in world.changes if change["table"] == "charges") and all(
        row["pupil_id"] == 1 and row["kind"] == "lesson_cancelled" and row["amount_cents"] == FEE_CENTS
        and row["credited_cents"] == 0 and row["driving_lesson_id"] in p["charged"] for row in new)


def guard_changes_nothing_else(world, p):
    """Touches no lesson that has to stay, and no other table."""
    for change in world.changes:
        if change["table"] == "charges":
            continue
        before, after = change["before"], change["after"]
        if change["table"] != "driving_lessons" or before is None or after is None or before["id"] not in p["dropped"]:
            return False
        if any(before[name] != after[name] and name not in ("status", "ended_by", "cancelled_at") for name in before):
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

import datetime

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
CHILDREN = ("Otto", "Linnea", "Onni", "Helmi", "Leevi", "Aava", "Eino", "Isla", "Toivo", "Venla", "Nooa", "Saima")
HOLIDAYS = (8, 9, 14, 15, 42)
TIMES = ("15:45", "16:30", "17:15", "18:00", "18:45")


def _last_lesson(start):
    """The day of the tenth weekly lesson, with no lesson in the autumn holidays."""
    weeks, day = 9, start
    while weeks:
        day += datetime.timedelta(days=7)
        if day.isocalendar()[1] != 42:
            weeks -= 1
    return day.isoformat()


def _ends(starts):
    """A lesson takes 45 minutes."""
    minutes = int(starts[:2]) * 60 + int(starts[3:]) + 45
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _open_courses(db, first, last):
    """The planned courses that begin in that week and have a place left: level, weekday and time."""
    rows = db.query(
        "SELECT c.badge_id AS level, c.first_lesson_at AS at, c.teacher FROM swimming_courses c WHERE c.status = 'planned'"
        " AND substr(c.first_lesson_at, 1, 10) BETWEEN :a AND :b AND c.places > (SELECT count(*) FROM course_enrolments e"
        " WHERE e.swimming_course_id = c.id AND e.status IN ('enrolled', 'completed')) ORDER BY c.id",
        {"a": first, "b": last},
    )
    return [(r["level"], datetime.date.fromisoformat(r["at"][:10]).isoweekday(), r["at"][11:16], r["teacher"]) for r in rows]


def _fits(courses, levels, after):
    """The weekdays on which every one of the levels has a course that does not begin too early."""
    good = []
    for day in range(1, 8):
        there = {level for level, weekday, time, _t in courses if weekday == day and time >= after}
        if set(levels) <= there:
            good.append(day)
    return good


def instances(world, rng):
    """Four children of four levels and a week in which the courses of all four begin on one weekday only."""
    today = datetime.date.fromisoformat(world.clock[:10])
    monday = today + datetime.timedelta(days=7 - today.weekday())
    teachers = [r["teacher"] for r in world.query("SELECT DISTINCT teacher FROM swimming_courses ORDER BY teacher")]
    price = world.one("SELECT v.id FROM prices v WHERE v.code = 'course_children'")["id"]
    top = world.one("SELECT max(id) AS course FROM swimming_courses")["course"]
    for _ in range(3000):
        week = monday + datetime.timedelta(days=7 * rng.randint(0, 4))
        if week.isocalendar()[1] in HOLIDAYS or (week - today).days < 7:
            continue
        first, last = week.isoformat(), (week + datetime.timedelta(days=6)).isoformat()
        levels = sorted(rng.sample([1, 2, 3, 4, 5], 4))
        after = rng.choice(["16:00", "16:30", "17:00"])
        there = _open_courses(world, first, last)
        busy = {
            (datetime.date.fromisoformat(r["at"][:10]).isoweekday(), r["at"][11:16], r["teacher"])
            for r in world.query(
                "SELECT first_lesson_at AS at, teacher FROM swimming_courses WHERE status IN ('planned', 'running') ORDER BY id"
            )
        }
        good = rng.randint(1, 4)
        plan = []
        late = [t for t in TIMES if t >= after]
        for day in (1, 2, 3, 4):
            wanted = levels if day == good else rng.sample(levels, rng.randint(1, 3))
            for level in wanted:
                if any(c[0] == level and c[1] == day for c in there):
                    continue
                plan.append((level, day, rng.choice(late), "planned"))
            if day != good and len(wanted) == 3:
                missing = next(lv for lv in levels if lv not in wanted)
                if not any(c[0] == missing and c[1] == day for c in there):
                    trap = rng.choice(["early", "cancelled", "none"])
                    if trap == "early":
                        plan.append((missing, day, "15:45", "planned"))
                    elif trap == "cancelled":
                        plan.append((missing, day, rng.choice(late), "cancelled"))
        rows, now = [], list(there)
        for level, day, time, status in plan:
            hour = int(time[:2]) * 60 + int(time[3:])
            free = [
                t
                for t in teachers
                if not any(
                    d == day and who == t and abs(int(h[:2]) * 60 + int(h[3:]) - hour) < 45 for d, h, who in busy
                )
            ]
            if not free:
                break
            teacher = rng.choice(free)
            busy.add((day, time, teacher))
            start = week + datetime.timedelta(days=day - 1)
            rows.append(
                {
                    "id": top + 1 + len(rows),
                    "code": f"KK-{'A' if today.month >= 7 else 'S'}26-{51 + len(rows)}",
                    "badge_id": level,
                    "teacher": teacher,
                    "first_lesson_at": f"{start.isoformat()}T{time}:00",
                    "last_lesson_at": f"{_last_lesson(start)}T{time}:00",
                    "places": 10,
                    "price_id": price,
                    "status": status,
                }
            )
            if status == "planned":
                now.append((level, day, time, teacher))
        if len(rows) < len(plan) or _fits(now, levels, after) != [good]:
            continue
        mine = [c for c in now if c[1] == good and c[0] in levels and c[2] >= after]
        if len(mine) != 4:
            continue
        names = rng.sample(list(CHILDREN), 4)
        yield {
            "p": {
                "names": names,
                "levels": [str(lv) for lv in levels],
                "monday": first,
                "after": after,
                "last": last,
            },
            "given": {"swimming_courses": rows},
        }


def solve(tools, p):
    last = (datetime.date.fromisoformat(p["monday"]) + datetime.timedelta(days=6)).isoformat()
    days = {}
    for level in p["levels"]:
        courses = tools.search_courses(badge_id=int(level), first_day=p["monday"], last_day=last, status="planned")["swimming_courses"]
        for c in courses:
            if c["places_left"] > 0 and c["first_lesson_at"][11:16] >= p["after"]:
                days.setdefault(c["weekday"], {})[level] = c["first_lesson_at"][11:16]
    weekday, times = next((d, t) for d, t in days.items() if len(t) == len(p["levels"]))
    begins, ends = min(times.values()), _ends(max(times.values()))
    return {
        "outcome": "done",
        "answers": {"weekday": weekday, "first_lesson_begins": begins, "last_lesson_ends": ends},
        "reason": None,
        "message": f"All four have a course on {weekday}; the first lesson begins at {begins} and the last is over at {ends}.",
    }


def _right(world, p):
    """The weekday and the times of the four courses on it."""
    levels = [int(level) for level in p["levels"]]
    courses = _open_courses(world.initial, p["monday"], p["last"])
    day = _fits(courses, levels, p["after"])[0]
    times = [t for level, weekday, t, _who in courses if weekday == day and level in levels and t >= p["after"]]
    return DAYS[day - 1], min(times), _ends(max(times))


def goal_says_which_weekday(world, p):
    """Says on which weekday all four have a course."""
    return world.report.says("weekday", _right(world, p)[0])


def goal_says_when_the_first_lesson_begins(world, p):
    """Says when the first lesson on it begins."""
    return world.report.says("first_lesson_begins", _right(world, p)[1])


def goal_says_when_the_last_lesson_ends(world, p):
    """Says when the last lesson on it is over."""
    return world.report.says("last_lesson_ends", _right(world, p)[2])


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return len(world.changes) == 0

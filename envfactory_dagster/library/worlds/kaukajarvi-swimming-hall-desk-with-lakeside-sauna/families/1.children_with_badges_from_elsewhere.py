import datetime

FIRST = ("Hilma", "Eelis", "Vieno", "Nuutti", "Amanda", "Jooa", "Selma", "Kaapo", "Elna", "Vilho", "Meri", "Akseli", "Lempi", "Lukas", "Enni", "Tatu", "Kiia", "Roni", "Sara", "Paavo", "Ilta", "Touko", "Alisa", "Verneri")
LAST = ("Alanko", "Hämäläinen", "Jaakkola", "Kortesmaa", "Lahtela", "Mikkonen", "Nurmela", "Oksanen", "Paavola", "Rintala", "Sjöblom", "Tervo", "Uusitalo", "Viitala", "Ylönen", "Aarnio", "Hakola", "Kemppi", "Laitila", "Niskala")
ADULT = ("Marianne", "Jani", "Essi", "Teemu", "Pia", "Markus", "Heta", "Juhani", "Sirpa", "Tuomas")
HOURS = (("16:30", "17:15"), ("17:15", "18:00"), ("18:00", "18:45"))
CLOSED = ("2026-04-03", "2026-05-01")


def _plus(day, n):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=n)).isoformat()


def _lessons(first):
    days, day = [], first
    while len(days) < 10:
        if datetime.date.fromisoformat(day).isocalendar()[1] not in (9, 42) and day not in CLOSED:
            days.append(day)
        day = _plus(day, 7)
    return days


def instances(world, rng):
    """A teacher with two groups of one level that begin in the same week, and the children in them."""
    today = world.clock[:10]
    levels = world.query("SELECT id, name, badge_price_cents FROM badge_levels ORDER BY id")
    staff = world.query("SELECT id, name FROM staff WHERE post = 'swimming_teacher' ORDER BY name")
    names = {r["name"] for r in world.query("SELECT name FROM customers")}
    top = {
        "courses": world.one("SELECT max(id) AS n FROM swimming_courses")["n"] + 1, "people": world.one("SELECT max(id) AS n FROM customers")["n"] + 1,
        "badges": world.one("SELECT max(id) AS n FROM badges")["n"] + 1, "places": world.one("SELECT max(id) AS n FROM course_enrolments")["n"] + 1,
        "payments": world.one("SELECT max(id) AS n FROM payments")["n"] + 1,
    }
    weeks = []
    for n in range(5, 34):
        day = _plus(today, n)
        if datetime.date.fromisoformat(day).isoweekday() == 1 and (day > "2026-08-01" or _lessons(_plus(day, 3))[-1] < "2026-06-08"):
            weeks.append(day)
    while True:
        monday, level, teacher = rng.choice(weeks), rng.choice(levels[2:]), rng.choice(staff)
        there = world.query(
            "SELECT weekday, starts_at, teacher_id FROM swimming_courses WHERE badge_level_id = ? AND status = 'open' AND first_lesson_on BETWEEN ? AND ?", [level["id"], monday, _plus(monday, 6)]
        )
        if any(c["teacher_id"] == teacher["id"] for c in there):
            continue
        slots = rng.sample([(weekday, hour) for weekday in (1, 2, 3, 4) for hour in HOURS], 2)
        if slots[0][0] == slots[1][0] or any((c["weekday"], c["starts_at"]) == (w, h[0]) for c in there for w, h in slots):
            continue
        given = {"customers": [], "swimming_courses": [], "badges": [], "payments": [], "course_enrolments": []}
        used, count = set(names), {"other_hall": 0, "test_swim": 0}
        sizes = [rng.randint(6, 9), rng.choice((7, 8, 10))]
        for number, ((weekday, hour), size) in enumerate(zip(slots, sizes)):
            lessons = _lessons(_plus(monday, weekday - 1))
            course = top["courses"] + number
            given["swimming_courses"].append({
                "id": course, "badge_level_id": level["id"], "teacher_id": teacher["id"], "age_group": "children", "weekday": weekday, "starts_at": hour[0], "ends_at": hour[1],
                "first_lesson_on": lessons[0], "second_lesson_on": lessons[1], "last_lesson_on": lessons[-1], "capacity": 10, "price_cents": 7800, "status": "open"})
            queued = rng.randint(1, 2) if size == 10 else 0
            for child_number in range(size + queued):
                while True:
                    last = rng.choice(LAST)
                    child, parent = f"{rng.choice(FIRST)} {last}", f"{rng.choice(ADULT)} {last}"
                    if child not in used and parent not in used:
                        break
                used |= {child, parent}
                person = top["people"] + len(given["customers"])
                born = int(today[:4]) - 5 - level["id"] - rng.randint(0, 1)
                given["customers"].append({"id": person, "name": parent, "born_on": f"{rng.randint(1978, 1990)}-0{rng.randint(1, 9)}-{rng.randint(10, 28)}", "phone": f"044 71{rng.randint(1000, 9999)}", "recorded_by": 1})
                given["customers"].append({"id": person + 1, "name": child, "born_on": f"{born}-0{rng.randint(1, 9)}-{rng.randint(10, 28)}", "guardian_id": person, "recorded_by": 1})
                in_queue = child_number >= size
                source = rng.choice(("other_hall", "test_swim")) if in_queue else rng.choices(("this_hall", "other_hall", "test_swim"), (7, 2, 2))[0]
                on = _plus(today, -rng.randint(9, 20))
                row = {"id": top["badges"] + len(given["badges"]), "customer_id": person + 1, "badge_level_id": level["id"] - 1, "source": source, "price_cents": 0, "recorded_on": on, "recorded_by": 1}
                if source != "other_hall":
                    row["slip_signed_on"], row["slip_signed_by"] = on, rng.choice(staff)["id"]
                if source == "this_hall" and level["id"] > 3:
                    row["price_cents"] = levels[level["id"] - 2]["badge_price_cents"]
                    given["payments"].append({"id": top["payments"] + len(given["payments"]), "customer_id": person, "kind": "charge", "method": rng.choice(("card", "cash")), "amount_cents": row["price_cents"],
                                              "purpose": "badge", "badge_id": row["id"], "paid_at": on + "T16:40:00", "recorded_by": 1})
                given["badges"].append(row)
                given["course_enrolments"].append({
                    "id": top["places"] + len(given["course_enrolments"]), "swimming_course_id": course, "customer_id": person + 1, "status": "queued" if in_queue else "enrolled", "price_cents": 7800,
                    "group_changes": 0, "enrolled_at": _plus(today, -4 if in_queue else -7) + f"T{12 + child_number // 4}:{rng.choice((5, 20, 35, 50)):02d}:00", "recorded_by": 1})
                if not in_queue and source in count:
                    count[source] += 1
        if not count["other_hall"] or not count["test_swim"]:
            continue
        yield {"p": {"teacher": teacher["name"], "level": level["name"], "monday": monday}, "given": {t: rows for t, rows in given.items() if rows}}


def solve(tools, p):
    level = next(l["id"] for l in tools.list_badge_levels()["badge_levels"] if l["name"] == p["level"])
    found = {"other_hall": [], "test_swim": []}
    for course in tools.search_courses(badge_level_id=level, age_group="children", first_day=p["monday"], last_day=_plus(p["monday"], 6))["swimming_courses"]:
        if course["status"] != "open" or course["teacher_name"] != p["teacher"]:
            continue
        for place in tools.list_course_enrolments(swimming_course_id=course["id"], status="enrolled")["course_enrolments"]:
            for badge in tools.list_badges(customer_id=place["customer_id"])["badges"]:
                if badge["badge_level_id"] == level - 1 and badge["source"] in found:
                    found[badge["source"]].append(place["customer_name"])
    return {
        "outcome": "done",
        "answers": {"from_another_hall": sorted(found["other_hall"]), "by_test_swim": sorted(found["test_swim"])},
        "reason": None,
        "message": f"From another hall: {', '.join(sorted(found['other_hall']))}; by a test swim: {', '.join(sorted(found['test_swim']))}.",
    }


def _names(world, p, source):
    rows = world.initial.query(
        "SELECT DISTINCT k.name FROM course_enrolments e JOIN customers k ON k.id = e.customer_id JOIN swimming_courses c ON c.id = e.swimming_course_id JOIN staff s ON s.id = c.teacher_id"
        " JOIN badge_levels l ON l.id = c.badge_level_id JOIN badges b ON b.customer_id = e.customer_id AND b.badge_level_id = l.id - 1"
        " WHERE e.status = 'enrolled' AND c.status = 'open' AND c.age_group = 'children' AND l.name = ? AND s.name = ? AND c.first_lesson_on BETWEEN ? AND ? AND b.source = ? ORDER BY k.name",
        [p["level"], p["teacher"], p["monday"], _plus(p["monday"], 6), source],
    )
    return [r["name"] for r in rows]


def goal_names_those_from_another_hall(world, p):
    """Names the children with a place whose badge comes from another hall."""
    return world.report.says("from_another_hall", _names(world, p, "other_hall"))


def goal_names_those_with_a_test_swim(world, p):
    """Names the children with a place who passed a test swim."""
    return world.report.says("by_test_swim", _names(world, p, "test_swim"))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_gives_no_reason(world, p):
    """Gives no rule as a reason."""
    return world.report.reason is None


def guard_changes_nothing(world, p):
    """Changed nothing, since only an answer was wanted."""
    return world.changes == []

import datetime

RULE = "course_enrolment_previous_badge"
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday")
METHODS = (("by card", "card"), ("in cash", "cash"))
FIRST = ("Hilda", "Eliel", "Venni", "Nuppu", "Amalia", "Joonatan", "Selja", "Kaius", "Elviira", "Vili", "Meeri", "Aaron", "Lahja", "Leevi", "Ennika", "Tapio", "Kielo", "Rico", "Sarlotta", "Peetu", "Ilmari", "Toini", "Alva", "Verna")
LAST = ("Aalto-Setälä", "Halonen", "Jussila", "Koivisto", "Lampi", "Mustola", "Nyberg", "Ollila", "Palonen", "Rautio", "Suomela", "Tolonen", "Ukkola", "Vainikka", "Ylä-Mattila", "Anttonen", "Hirvonen", "Kärki", "Lundgren", "Närhi")
ADULT = ("Marika", "Janne-Pekka", "Essi-Maria", "Teppo", "Pirjo", "Mauri", "Helka", "Jukka-Pekka", "Sirkku", "Tuomo")
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
    """A child and two groups of a level that begin in the same week, with more or less room."""
    today = world.clock[:10]
    levels = world.query("SELECT id, name FROM badge_levels WHERE id >= 3 ORDER BY id")
    teachers = [r["id"] for r in world.query("SELECT id FROM staff WHERE post = 'swimming_teacher' ORDER BY id DESC")]
    names = {r["name"] for r in world.query("SELECT name FROM customers ORDER BY id")}
    people = world.one("SELECT max(id) + 1 AS n FROM customers")["n"]
    courses = world.one("SELECT max(id) + 1 AS n FROM swimming_courses")["n"]
    badges = world.one("SELECT max(id) + 1 AS n FROM badges")["n"]
    places = world.one("SELECT max(id) + 1 AS n FROM course_enrolments")["n"]
    weeks = []
    for n in range(5, 34):
        day = _plus(today, n)
        if datetime.date.fromisoformat(day).isoweekday() == 1 and (day > "2026-08-01" or _lessons(_plus(day, 3))[-1] < "2026-06-08"):
            weeks.append(day)
    while True:
        monday, level, sort = rng.choice(weeks), rng.choice(levels), rng.choice(("one", "other", "other", "queue", "queue", "no badge"))
        one, other = rng.sample((1, 2, 3, 4), 2)
        if world.one("SELECT count(*) AS n FROM swimming_courses WHERE badge_level_id = ? AND status = 'open' AND first_lesson_on BETWEEN ? AND ?", [level["id"], monday, _plus(monday, 6)])["n"]:
            continue
        given = {"customers": [], "swimming_courses": [], "badges": [], "course_enrolments": []}
        used = set(names)

        def family(with_badge):
            while True:
                last = rng.choice(LAST)
                child, parent = f"{rng.choice(FIRST)} {last}", f"{rng.choice(ADULT)} {last}"
                if child not in used and parent not in used:
                    break
            used.update((child, parent))
            number = people + len(given["customers"])
            born = int(today[:4]) - 5 - level["id"] - rng.randint(0, 1)
            given["customers"].append({"id": number, "name": parent, "born_on": f"{rng.randint(1978, 1990)}-0{rng.randint(1, 9)}-{rng.randint(10, 28)}", "phone": f"045 81{rng.randint(1000, 9999)}", "recorded_by": 1})
            given["customers"].append({"id": number + 1, "name": child, "born_on": f"{born}-0{rng.randint(1, 9)}-{rng.randint(10, 28)}", "guardian_id": number, "recorded_by": 1})
            on = _plus(today, -rng.randint(10, 20))
            source = rng.choice(("other_hall", "test_swim"))
            row = {"id": badges + len(given["badges"]), "customer_id": number + 1, "badge_level_id": level["id"] - (1 if with_badge else 2), "source": source, "price_cents": 0, "recorded_on": on, "recorded_by": 1}
            if source == "test_swim":
                row["slip_signed_on"], row["slip_signed_by"] = on, rng.choice(teachers)
            given["badges"].append(row)
            return number, parent, number + 1, child

        parent_id, parent, child_id, child = family(sort != "no badge")
        waiting = rng.sample((0, 1, 2, 3), 2)
        sizes = {"one": (rng.randint(5, 9), rng.choice((6, 10))), "other": (10, rng.randint(5, 9)), "queue": (10, 10), "no badge": (rng.randint(5, 9), rng.choice((8, 10)))}[sort]
        for number, (weekday, size) in enumerate(((one, sizes[0]), (other, sizes[1]))):
            lessons = _lessons(_plus(monday, weekday - 1))
            hour = rng.choice((("16:30", "17:15"), ("17:15", "18:00")))
            given["swimming_courses"].append({
                "id": courses + number, "badge_level_id": level["id"], "teacher_id": teachers[number % len(teachers)], "age_group": "children", "weekday": weekday, "starts_at": hour[0], "ends_at": hour[1],
                "first_lesson_on": lessons[0], "second_lesson_on": lessons[1], "last_lesson_on": lessons[-1], "capacity": 10, "price_cents": 7800, "status": "open"})
            for n in range(size + (waiting[number] if size == 10 else 0)):
                kid = family(True)[2]
                given["course_enrolments"].append({
                    "id": places + len(given["course_enrolments"]), "swimming_course_id": courses + number, "customer_id": kid, "status": "enrolled" if n < size else "queued", "price_cents": 7800, "group_changes": 0,
                    "enrolled_at": _plus(today, -7 if n < size else -5) + f"T{12 + n // 3}:{n % 3 * 15 + number:02d}:00", "recorded_by": 1})
        target = {"one": 0, "other": 1, "queue": 0 if waiting[0] < waiting[1] else 1, "no badge": None}[sort]
        p = {"parent": parent, "child": child, "level": level["name"], "monday": monday, "one": DAYS[one - 1], "other": DAYS[other - 1], "how": rng.choice(METHODS)[0], "parent_id": parent_id, "child_id": child_id,
             "course": None if target is None else courses + target, "place": sort in ("one", "other")}
        instance = {"p": p, "given": given}
        if target is None:
            instance["kind"], instance["rule"] = "refusal", RULE
        yield instance


def solve(tools, p):
    parent = next(c for c in tools.search_customers(name=p["parent"])["customers"] if c["name"] == p["parent"])
    child = next(c for c in tools.search_customers(guardian_customer_id=parent["id"])["customers"] if c["name"] == p["child"])
    level = next(l["id"] for l in tools.list_badge_levels()["badge_levels"] if l["name"] == p["level"])
    groups = []
    for name in (p["one"], p["other"]):
        found = tools.search_courses(badge_level_id=level, age_group="children", weekday=DAYS.index(name) + 1, first_day=p["monday"], last_day=_plus(p["monday"], 6))["swimming_courses"]
        groups.append((name, next(c for c in found if c["status"] == "open")))
    order, (name, course) = min(enumerate(groups), key=lambda g: (g[1][1]["places_left"] == 0, g[1][1]["queued"], g[0]))
    try:
        place = tools.enrol_in_course(swimming_course_id=course["id"], customer_id=child["id"], queue_if_full=course["places_left"] == 0)["course_enrolment"]
    except tools.Error as error:
        return {"outcome": "refused", "answers": {"weekday": None, "has_a_place": None}, "reason": RULE, "message": f"{p['child']} cannot be enrolled: {error}."}
    if place["status"] == "queued":
        return {"outcome": "done", "answers": {"weekday": name, "has_a_place": False}, "reason": None, "message": f"{p['child']} is in the queue of the {p['level']} group on {name}."}
    tools.take_payment(customer_id=parent["id"], method=dict(METHODS)[p["how"]], amount_cents=place["price_cents"], purpose="course", course_enrolment_id=place["id"])
    return {"outcome": "done", "answers": {"weekday": name, "has_a_place": True}, "reason": None, "message": f"{p['child']} has a place in the {p['level']} group on {name}, and it is paid."}


def _refused(world):
    return world.report.outcome == "refused" and world.report.reason == RULE


def _mine(world, p):
    """The places of the child that are not cancelled."""
    return world.final.query("SELECT id, swimming_course_id, status, price_cents FROM course_enrolments WHERE customer_id = ? AND status <> 'cancelled' ORDER BY id", [p["child_id"]])


def goal_the_child_is_in_the_right_group(world, p):
    """The child has a place in the right group, or stands in its queue; without the badge, that is reported."""
    if p["course"] is None:
        return _refused(world)
    return [(r["swimming_course_id"], r["status"]) for r in _mine(world, p)] == [(p["course"], "enrolled" if p["place"] else "queued")]


def goal_a_place_is_paid(world, p):
    """A place is paid by the parent the way it was said; the queue costs nothing."""
    if p["course"] is None:
        return _refused(world)
    rows = _mine(world, p)
    if len(rows) != 1:
        return False
    paid = world.final.one(
        "SELECT coalesce(sum(amount_cents), 0) AS n FROM payments WHERE course_enrolment_id = ? AND kind = 'charge' AND purpose = 'course' AND method = ? AND customer_id = ?",
        [rows[0]["id"], dict(METHODS)[p["how"]], p["parent_id"]],
    )["n"]
    return paid == (7800 if p["place"] else 0)


def goal_says_the_weekday(world, p):
    """Says on which weekday it is, and none where it was refused."""
    if p["course"] is None:
        return _refused(world) and world.report.says("weekday", None)
    weekday = world.initial.one("SELECT weekday FROM swimming_courses WHERE id = ?", [p["course"]])["weekday"]
    return world.report.says("weekday", DAYS[weekday - 1])


def goal_says_whether_it_is_a_place(world, p):
    """Says whether it is a place, and nothing where it was refused."""
    if p["course"] is None:
        return _refused(world) and world.report.says("has_a_place", None)
    return world.report.says("has_a_place", p["place"])


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or that the rule forbids it."""
    return world.report.outcome in (None, "refused" if p["course"] is None else "done")


def guard_gives_the_rule_only_where_it_forbids(world, p):
    """Gives the rule as reason where it forbids the request, and no reason otherwise."""
    return world.report.outcome is None or world.report.reason == (RULE if p["course"] is None else None)


def guard_adds_one_enrolment_only(world, p):
    """Added no enrolment but one of this child in the right group, and a payment for a place only; changed nothing."""
    if p["course"] is None:
        return world.changes == []
    new = [c["after"] for c in world.changes if c["table"] == "course_enrolments" and c["before"] is None]
    if len(new) > 1 or any(e["customer_id"] != p["child_id"] or e["swimming_course_id"] != p["course"] for e in new):
        return False
    for change in world.changes:
        if change["before"] is not None or change["table"] not in ("course_enrolments", "payments"):
            return False
        row = change["after"]
        if change["table"] == "payments" and (
            not p["place"] or row["kind"] != "charge" or row["customer_id"] != p["parent_id"] or row["method"] != dict(METHODS)[p["how"]] or row["course_enrolment_id"] not in [e["id"] for e in new]
        ):
            return False
    return True

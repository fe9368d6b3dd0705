import datetime

PEOPLE = (
    ("Karin Öberg", "Sundsvall"),
    ("Lars Tveit", "Bergen"),
    ("Minna Aalto", "Rovaniemi"),
    ("Stefan Roth", "Basel"),
    ("Clara Nunes", "Lisboa"),
    ("Emil Sjögren", "Umeå"),
    ("Ragnhild Dahl", "Oslo"),
    ("Oona Rinne", "Turku"),
)


def _add(day, by):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=by)).isoformat()


def _holds(course_on, last_day):
    """Whether a course is less than 24 months old on the last day."""
    if course_on is None:
        return False
    return f"{int(course_on[:4]) + 2}{course_on[4:]}" > last_day


def _course(rng, until):
    """A day of a course that holds for a long time, only just, no longer, or was never taken."""
    month = (datetime.date.fromisoformat(until) - datetime.timedelta(days=730)).isoformat()
    how = rng.choice(("long", "just", "over", "over", "old", "old", "never"))
    if how == "never":
        return None
    by = {"long": rng.randint(90, 480), "just": rng.randint(1, 6), "over": -rng.randint(0, 2), "old": -rng.randint(20, 200)}[how]
    course = _add(month, by)
    if course[5:] == "02-29":
        course = course[:5] + "02-28"
    return course


def _draw(world, rng):
    today = world.clock[:10]
    first = _add(today, rng.randint(2, 18))
    until = _add(first, rng.randint(1, 3))
    role = world.one("SELECT role FROM people WHERE id = 1")["role"]
    projects = world.query(
        "SELECT j.id, j.code, (SELECT count(*) FROM project_members m WHERE m.project_id = j.id AND m.person_id = 1) AS mine"
        " FROM projects j WHERE j.starts_on <= ? AND j.ends_on >= ? ORDER BY j.id",
        [today, until],
    )
    if role != "technician":
        projects = [one for one in projects if one["mine"]]
    machines = world.query(
        "SELECT e.id, e.name FROM equipment e WHERE e.kind = 'snowmobile'"
        " AND NOT EXISTS (SELECT 1 FROM notes n WHERE n.equipment_id = e.id AND n.status = 'open')"
        " AND NOT EXISTS (SELECT 1 FROM bookings b WHERE b.equipment_id = e.id AND b.status = 'out' AND b.until_on < ?)"
        " AND NOT EXISTS (SELECT 1 FROM bookings b WHERE b.equipment_id = e.id AND b.status IN ('booked', 'out')"
        " AND b.from_on <= ? AND b.until_on >= ?) ORDER BY e.id",
        [today, until, first],
    )
    if not projects or not machines:
        return None
    project = rng.choice(projects)
    machine = rng.choice(machines)
    site = rng.choice(
        world.query(
            "SELECT id, name FROM sites WHERE kind IN (SELECT s.kind FROM sites s JOIN bookings b ON b.site_id = s.id"
            " WHERE b.project_id = ?) ORDER BY name",
            [project["id"]],
        )
    )
    members = world.query(
        "SELECT p.id, p.name, p.course_on FROM people p JOIN project_members m ON m.person_id = p.id"
        " WHERE m.project_id = ? ORDER BY p.id",
        [project["id"]],
    )
    person = world.one("SELECT max(id) AS id FROM people")["id"]
    member = world.one("SELECT max(id) AS id FROM project_members")["id"]
    people = []
    for n, (name, home) in enumerate(rng.sample(PEOPLE, rng.randint(1, 3)), 1):
        people.append(
            {
                "id": person + n,
                "name": name,
                "role": "researcher",
                "home": home,
                "phone": f"+46 70 174 07 {rng.randint(10, 99)}",
                "course_on": _course(rng, until),
            }
        )
    crew = [one for one in members + people if one["id"] != 1]
    wanted = rng.choice(crew)
    driver = None
    if _holds(wanted["course_on"], until):
        driver = wanted
    else:
        dates = sorted((one["course_on"] for one in crew if one["course_on"] is not None), reverse=True)
        if len(dates) > 1 and dates[0] == dates[1]:
            return None
        if dates and _holds(dates[0], until):
            driver = next(one for one in crew if one["course_on"] == dates[0])
    refused = driver is None
    p = {
        "code": project["code"],
        "machine": machine["name"],
        "site": site["name"],
        "day": first,
        "until": until,
        "name": wanted["name"],
        "refused": refused,
    }
    instance = {
        "p": p,
        "given": {
            "people": people,
            "project_members": [
                {"id": member + n, "project_id": project["id"], "person_id": one["id"]} for n, one in enumerate(people, 1)
            ],
        },
    }
    if refused:
        instance["kind"] = "refusal"
        instance["rule"] = "snowmobile_driver_and_notice"
    return instance


def instances(world, rng):
    """A free snowmobile, a project with some more members, and a driver whose course holds or does not."""
    done = 0
    refused = 0
    for _ in range(4000):
        instance = _draw(world, rng)
        if instance is None:
            continue
        if instance["p"]["refused"]:
            if 2 * refused > done:
                continue
            refused += 1
        else:
            done += 1
        yield instance


def solve(tools, p):
    me = tools.get_desk_today()["person"]["id"]
    project = next(one for one in tools.search_projects(query=p["code"])["projects"] if one["code"] == p["code"])
    crew = [one for one in tools.search_people(project_id=project["id"])["people"] if one["id"] != me]
    site = next(one for one in tools.list_sites(name=p["site"])["sites"] if one["name"] == p["site"])
    machine = next(
        one
        for one in tools.search_equipment(kind="snowmobile", first_day=p["day"], last_day=p["until"])["equipment"]
        if one["name"] == p["machine"]
    )
    driver = next(one for one in crew if one["name"] == p["name"])
    if not _holds(driver["course_on"], p["until"]):
        driver = max((one for one in crew if one["course_on"]), key=lambda one: one["course_on"], default=driver)
    if not _holds(driver["course_on"], p["until"]):
        return {
            "outcome": "refused",
            "answers": {"driver": None},
            "reason": "snowmobile_driver_and_notice",
            "message": f"Nobody else of {p['code']} has a snowmobile course that is less than 24 months old on {p['until']}."
            " Nothing is booked; for a refresher course, telephone the office.",
        }
    tools.book_equipment(
        project_id=project["id"],
        equipment_id=machine["id"],
        site_id=site["id"],
        from_on=p["day"],
        until_on=p["until"],
        driver_id=driver["id"],
    )
    return {
        "outcome": "done",
        "answers": {"driver": driver["name"]},
        "reason": None,
        "message": f"{p['machine']} is booked for {p['code']} from {p['day']} to {p['until']}; {driver['name']} drives.",
    }


def _driver(world, p):
    """Who has to drive: the person that was named, else who of the others took the course last."""
    crew = world.initial.query(
        "SELECT p.id AS id, p.name AS name, p.course_on AS course_on FROM people p JOIN project_members m ON m.person_id = p.id"
        " JOIN projects j ON j.id = m.project_id WHERE j.code = ? AND p.id <> 1",
        [p["code"]],
    )
    wanted = next(one for one in crew if one["name"] == p["name"])
    if _holds(wanted["course_on"], p["until"]):
        return wanted
    return max((one for one in crew if one["course_on"] is not None), key=lambda one: one["course_on"])


def _is_refused(world):
    return world.report.outcome == "refused" and world.report.reason == "snowmobile_driver_and_notice"


def goal_snowmobile_is_booked(world, p):
    """Has one booking of the snowmobile on these days with the right driver, or it is refused by the rule."""
    if p["refused"]:
        return bool(_is_refused(world))
    new = [one["after"] for one in world.changes if one["table"] == "bookings" and one["before"] is None]
    if len(new) != 1:
        return False
    row = world.final.one(
        "SELECT j.code AS code, e.name AS machine, s.name AS site, b.driver_id AS driver_id, b.from_on AS from_on,"
        " b.until_on AS until_on, b.status AS status FROM bookings b JOIN projects j ON j.id = b.project_id"
        " JOIN equipment e ON e.id = b.equipment_id JOIN sites s ON s.id = b.site_id WHERE b.id = ?",
        [new[0]["id"]],
    )
    return row == {
        "code": p["code"],
        "machine": p["machine"],
        "site": p["site"],
        "driver_id": _driver(world, p)["id"],
        "from_on": p["day"],
        "until_on": p["until"],
        "status": "booked",
    }


def goal_says_who_drives(world, p):
    """Has told who drives, or names nobody where it is refused."""
    if p["refused"]:
        return bool(_is_refused(world) and world.report.says("driver", None))
    return bool(world.report.says("driver", _driver(world, p)["name"]))


def guard_makes_one_booking_at_most(world, p):
    """Changed nothing but one new booking, and nothing at all where it is refused."""
    if p["refused"]:
        return world.changes == []
    return len(world.changes) <= 1 and all(
        one["table"] == "bookings" and one["before"] is None for one in world.changes
    )


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or refused by the rule on drivers and notice."""
    if p["refused"]:
        return world.report.outcome is None or bool(_is_refused(world))
    return world.report.outcome in (None, "done") and world.report.reason is None

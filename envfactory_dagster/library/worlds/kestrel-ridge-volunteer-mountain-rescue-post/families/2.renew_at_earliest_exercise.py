import datetime

TITLES = ("refresher", "practice day", "training on the ridge", "exercise for all", "workshop at the post")
HOURS = ((9, 6), (10, 5), (8, 5), (13, 4), (17, 4))


def _held_days(rows):
    days = set()
    for row in rows:
        days.add(row["starts_at"][:10])
        days.add(row["ends_at"][:10])
    return days


def _chosen(db, p):
    shifts = db.query(
        "SELECT d.starts_at AS starts_at, d.ends_at AS ends_at FROM shift_places sp"
        " JOIN duty_shifts d ON d.id = sp.duty_shift_id"
        " WHERE sp.member_id = 1 AND sp.status IN ('taken', 'offered')"
    )
    busy = _held_days(shifts)
    rows = db.query(
        "SELECT e.id AS id, e.name AS name, e.starts_at AS starts_at, e.most_places"
        " - (SELECT count(*) FROM exercise_places ep WHERE ep.exercise_id = e.id AND ep.status <> 'given_up') AS free"
        " FROM exercises e JOIN skills k ON k.id = e.skill_id"
        " WHERE k.name = ? AND e.status = 'planned' AND substr(e.starts_at, 1, 10) >= ? ORDER BY e.starts_at",
        [p["skill"], p["first"]],
    )
    rows = [row for row in rows if row["free"] > 0 and row["starts_at"][:10] not in busy]
    return rows[0] if rows else None


def instances(world, rng):
    """A skill in which the user holds no place, with exercises that are full, cancelled, on a duty day or free."""
    now = datetime.datetime.fromisoformat(world.clock[:19])
    today = now.date()
    skills = world.query("SELECT k.id AS id, k.name AS name FROM skills k ORDER BY k.name")
    members = [row["id"] for row in world.query("SELECT m.id AS id FROM members m WHERE m.id <> 1 ORDER BY m.id DESC")]
    load = {}
    mine = []
    for row in world.query(
        "SELECT ep.member_id AS member_id, e.skill_id AS skill_id FROM exercise_places ep"
        " JOIN exercises e ON e.id = ep.exercise_id WHERE ep.status = 'taken' AND e.starts_at > ?",
        [world.clock],
    ):
        load[row["member_id"]] = load.get(row["member_id"], 0) + 1
        if row["member_id"] == 1:
            mine.append(row["skill_id"])
    held = world.query(
        "SELECT d.starts_at AS starts_at, d.ends_at AS ends_at FROM shift_places sp"
        " JOIN duty_shifts d ON d.id = sp.duty_shift_id"
        " WHERE sp.member_id = 1 AND sp.status IN ('taken', 'offered', 'served')"
    )
    shift_keys = {row["starts_at"] for row in world.query("SELECT d.starts_at AS starts_at FROM duty_shifts d")}
    valid = {
        row["skill_id"]: row["last_day"]
        for row in world.query(
            "SELECT q.skill_id AS skill_id, max(q.last_day) AS last_day FROM qualifications q"
            " WHERE q.member_id = 1 GROUP BY q.skill_id"
        )
    }
    existing = world.query(
        "SELECT e.skill_id AS skill_id, e.starts_at AS starts_at, e.status AS status, e.most_places"
        " - (SELECT count(*) FROM exercise_places ep WHERE ep.exercise_id = e.id AND ep.status <> 'given_up') AS free"
        " FROM exercises e ORDER BY e.starts_at"
    )
    top = world.one(
        "SELECT (SELECT max(e.id) FROM exercises e) AS exercise, (SELECT max(ep.id) FROM exercise_places ep) AS place,"
        " (SELECT max(d.id) FROM duty_shifts d) AS shift, (SELECT max(sp.id) FROM shift_places sp) AS shift_place"
    )
    open_skills = [skill for skill in skills if skill["id"] not in mine]
    if not open_skills or len(mine) > 3:
        return
    for _ in range(500):
        skill = rng.choice(open_skills)
        first = today + datetime.timedelta(days=rng.randint(4, 45))
        refused = len(mine) == 3 or rng.random() < 0.25
        count = rng.randint(4, 6)
        offsets = sorted(rng.sample(range(4, 95), count))
        days = [today + datetime.timedelta(days=offset) for offset in offsets]
        loads = dict(load)
        given = {"exercises": [], "exercise_places": [], "duty_shifts": [], "duty_shift_skills": [], "shift_places": []}

        def add_exercise(skill_row, day, status, free, owner):
            hour, length = rng.choice(HOURS)
            start = datetime.datetime.combine(day, datetime.time(hour))
            exercise_id = top["exercise"] + len(given["exercises"]) + 1
            taken = rng.randint(2, 4)
            able = [member for member in members if loads.get(member, 0) < 3]
            rng.shuffle(able)
            people = able[:taken] + ([1] if owner else [])
            given["exercises"].append({
                "id": exercise_id,
                "skill_id": skill_row["id"],
                "name": skill_row["name"] + " " + rng.choice(TITLES),
                "starts_at": start.isoformat(),
                "ends_at": (start + datetime.timedelta(hours=length)).isoformat(),
                "most_places": len(people) + free,
                "status": status,
            })
            quit_by = [member for member in able[taken: taken + 1] if rng.random() < 0.4]
            for member in people + quit_by:
                since = now - datetime.timedelta(days=rng.randint(4, 20), minutes=rng.randint(0, 600))
                gone = member in quit_by or status == "cancelled"
                if not gone:
                    loads[member] = loads.get(member, 0) + 1
                given["exercise_places"].append({
                    "id": top["place"] + len(given["exercise_places"]) + 1,
                    "exercise_id": exercise_id,
                    "member_id": member,
                    "status": "given_up" if gone else "taken",
                    "taken_at": since.isoformat(),
                    "given_up_at": (since + datetime.timedelta(days=2)).isoformat() if gone else None,
                })
            return start

        blocked = None
        busy = _held_days(held)
        found = []
        for day in days:
            state = rng.choice(("free", "free", "full", "cancelled", "duty"))
            if state == "duty" and (blocked is not None or day < first):
                state = "full"
            if state == "duty":
                near = {(day + datetime.timedelta(days=n)).isoformat() for n in (-2, -1, 0, 1, 2)}
                fit = [skill_id for skill_id, last in sorted(valid.items()) if last >= day.isoformat()]
                begin = datetime.datetime.combine(day, datetime.time(19, 30))
                if near & busy or not fit or begin.isoformat() in shift_keys:
                    state = "full"
                else:
                    blocked = begin
                    given["duty_shifts"].append({
                        "id": top["shift"] + 1,
                        "kind": "night",
                        "starts_at": begin.isoformat(),
                        "ends_at": (begin + datetime.timedelta(hours=11)).isoformat(),
                        "most_places": 3,
                    })
                    given["duty_shift_skills"].append({"duty_shift_id": top["shift"] + 1, "skill_id": rng.choice(fit)})
                    given["shift_places"].append({
                        "id": top["shift_place"] + 1,
                        "duty_shift_id": top["shift"] + 1,
                        "member_id": 1,
                        "status": "taken",
                        "taken_at": (now - datetime.timedelta(days=rng.randint(3, 9))).isoformat(),
                        "handed_over_at": None,
                        "given_up_at": None,
                    })
            free = 0 if state == "full" else rng.randint(1, 4)
            start = add_exercise(skill, day, "cancelled" if state == "cancelled" else "planned", free, False)
            if state in ("free", "duty") and day >= first:
                found.append(start.isoformat())
        if refused:
            rest = [other for other in skills if other["id"] != skill["id"]]
            for _place in range(3 - len(mine)):
                add_exercise(rng.choice(rest), today + datetime.timedelta(days=rng.randint(96, 110)), "planned", 2, True)
        found += [
            row["starts_at"] for row in existing
            if row["skill_id"] == skill["id"] and row["status"] == "planned" and row["free"] > 0
            and row["starts_at"][:10] >= first.isoformat()
        ]
        busy |= _held_days(given["duty_shifts"])
        found = sorted(start for start in found if start[:10] not in busy)
        if len(found) < 2 or found[0] == found[1]:
            continue
        instance = {
            "p": {"skill": skill["name"], "first": first.isoformat(), "refused": refused},
            "given": {table: rows for table, rows in given.items() if rows},
        }
        if refused:
            instance["kind"] = instance["p"]["kind"] = "refusal"
            instance["rule"] = instance["p"]["rule"] = "exercise_places_and_deadline"
        yield instance


def solve(tools, p):
    skill = next(s for s in tools.list_skills()["skills"] if s["name"] == p["skill"])
    nothing = {"exercise_name": None, "exercise_day": None, "places_left": None}
    if tools.get_my_profile()["exercise_places_to_come"] >= 3:
        planned = tools.list_my_exercise_places(status="taken", first_day=p["first"])["exercise_places"]
        return {
            "outcome": "refused",
            "answers": nothing,
            "reason": "exercise_places_and_deadline",
            "message": (
                "I took no place, because you hold 3 places on exercises still to come already and that is the most."
                f" Of these, on {p['first']} or later: {len(planned)}."
            ),
        }
    busy = _held_days([
        place for place in tools.list_my_shift_places()["shift_places"] if place["status"] in ("taken", "offered")
    ])
    for exercise in tools.search_exercises(skill_id=skill["id"], status="planned", first_day=p["first"])["exercises"]:
        if exercise["starts_at"][:10] in busy:
            continue
        details = tools.get_exercise(exercise_id=exercise["id"])
        if details["free_places"] > 0 and not details["is_mine"]:
            tools.take_exercise_place(exercise_id=exercise["id"])
            left = details["free_places"] - 1
            day = exercise["starts_at"][:10]
            return {
                "outcome": "done",
                "answers": {"exercise_name": exercise["name"], "exercise_day": day, "places_left": left},
                "reason": None,
                "message": f"You have a place on {exercise['name']} on {day}; places left after that: {left}.",
            }
    return {
        "outcome": "impossible",
        "answers": nothing,
        "reason": None,
        "message": "There is no such exercise with a free place.",
    }


def goal_has_the_place(world, p):
    """Has one taken place on the earliest exercise that fits, or, where the rule forbids it, says that it was refused."""
    if p["refused"]:
        return world.report.outcome == "refused"
    rows = world.final.query(
        "SELECT ep.status AS status FROM exercise_places ep"
        " WHERE ep.exercise_id = ? AND ep.member_id = 1 AND ep.status <> 'given_up'",
        [_chosen(world.initial, p)["id"]],
    )
    return [row["status"] for row in rows] == ["taken"]


def goal_says_the_name(world, p):
    """Says the name of the exercise; nothing where it is refused."""
    return world.report.says("exercise_name", None if p["refused"] else _chosen(world.initial, p)["name"])


def goal_says_the_day(world, p):
    """Says the day of the exercise; nothing where it is refused."""
    return world.report.says("exercise_day", None if p["refused"] else _chosen(world.initial, p)["starts_at"][:10])


def goal_says_the_places_left(world, p):
    """Says how many places are left on the exercise afterwards; nothing where it is refused."""
    return world.report.says("places_left", None if p["refused"] else _chosen(world.initial, p)["free"] - 1)


def guard_adds_this_place_only(world, p):
    """Changed nothing but one new place of the user on that exercise; nothing at all where it is refused."""
    if p["refused"]:
        return len(world.changes) == 0
    chosen = _chosen(world.initial, p)["id"]
    return len(world.changes) <= 1 and all(
        change["table"] == "exercise_places"
        and change["before"] is None
        and change["after"]["exercise_id"] == chosen
        and change["after"]["member_id"] == 1
        for change in world.changes
    )


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or that the rule on exercise places forbids it."""
    if world.report.outcome is None:
        return True
    if p["refused"]:
        return world.report.outcome == "refused" and world.report.reason == "exercise_places_and_deadline"
    return world.report.outcome == "done" and world.report.reason is None

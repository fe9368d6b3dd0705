import datetime

TIMES = (("day", 7, 12), ("day", 8, 8), ("day", 9, 10), ("night", 19, 12), ("night", 20, 9), ("night", 21, 10))


def _survey(shifts, needs, valid):
    room, fit, lacking = 0, 0, {}
    for shift in shifts:
        if shift["taken"] >= shift["most_places"] or shift["mine"]:
            continue
        room += 1
        day = shift["starts_at"][:10]
        missing = [s for s in needs.get(shift["id"], []) if valid.get(s, "") < day]
        for skill in missing:
            lacking[skill] = lacking.get(skill, 0) + 1
        fit += not missing
    most = max(lacking.values()) if lacking else 0
    return {"room": room, "fit": fit, "most": most, "skills": [s for s in lacking if lacking[s] == most]}


def _shifts(db, p):
    return db.query(
        "SELECT z.id AS id, z.starts_at AS starts_at, z.most_places AS most_places,"
        " (SELECT count(*) FROM shift_places y WHERE y.duty_shift_id = z.id"
        " AND y.status IN ('taken', 'offered', 'served')) AS taken,"
        " (SELECT count(*) FROM shift_places y WHERE y.duty_shift_id = z.id AND y.member_id = 1"
        " AND y.status IN ('taken', 'offered', 'served')) AS mine"
        " FROM duty_shifts z WHERE substr(z.starts_at, 1, 10) BETWEEN ? AND ? ORDER BY z.starts_at, z.id",
        [p["first"], p["last"]],
    )


def _needs(db):
    needs = {}
    for row in db.query("SELECT z.duty_shift_id AS shift, z.skill_id AS skill FROM duty_shift_skills z ORDER BY z.duty_shift_id, z.skill_id"):
        needs.setdefault(row["shift"], []).append(row["skill"])
    return needs


def _valid(db):
    return {
        row["skill_id"]: row["until"]
        for row in db.query(
            "SELECT z.skill_id, max(z.last_day) AS until FROM qualifications z WHERE z.member_id = 1 GROUP BY z.skill_id"
        )
    }


def _truth(db, p):
    return _survey(_shifts(db, p), _needs(db), _valid(db))


def instances(world, rng):
    """A span of days with duty shifts that still have room, some of them asking for skills the user lacks by then."""
    now = datetime.datetime.fromisoformat(world.clock[:19])
    used = {(row["kind"], row["at"]) for row in world.query("SELECT z.kind, z.starts_at AS at FROM duty_shifts z")}
    skills = [row["skill"] for row in world.query("SELECT z.id AS skill FROM skills z ORDER BY z.id")]
    able = world.query(
        "SELECT z.member_id AS member, z.skill_id AS skill, z.last_day AS until FROM qualifications z WHERE z.member_id <> 1"
    )
    present = world.query(
        "SELECT y.member_id AS member, z.starts_at AS at FROM duty_shifts z"
        " JOIN shift_places y ON y.duty_shift_id = z.id AND y.status IN ('taken', 'offered', 'served')"
    )
    tops = world.one("SELECT (SELECT max(z.id) FROM duty_shifts z) AS a, (SELECT max(y.id) FROM shift_places y) AS b")
    for _ in range(600):
        first = now.date() + datetime.timedelta(days=rng.randint(1, 40))
        last = first + datetime.timedelta(days=rng.randint(7, 45))
        p = {"first": first.isoformat(), "last": last.isoformat()}
        shifts, needs = _shifts(world, p), _needs(world)
        given = {"duty_shifts": [], "duty_shift_skills": [], "shift_places": []}
        where = [(row["member"], datetime.date.fromisoformat(row["at"][:10])) for row in present]
        span = range(-4, (last - first).days + 5)
        for offset in sorted(rng.sample(span, min(len(span), rng.randint(5, 8)))):
            day = first + datetime.timedelta(days=offset)
            kind, hour, length = rng.choice(TIMES)
            start = datetime.datetime.combine(day, datetime.time(hour))
            if start <= now or (kind, start.isoformat()) in used:
                continue
            needed = rng.sample(skills, rng.choice((1, 1, 2)))
            people = []
            for member in sorted({row["member"] for row in able}):
                fit = all(
                    any(r["member"] == member and r["skill"] == s and r["until"] >= day.isoformat() for r in able)
                    for s in needed
                )
                if fit and all(m != member or abs((day - d).days) > 2 for m, d in where):
                    people.append(member)
            people = rng.sample(people, min(len(people), rng.randint(1, 2)))
            full = bool(people) and rng.random() < 0.25
            shift = {
                "id": tops["a"] + len(given["duty_shifts"]) + 1,
                "kind": kind,
                "starts_at": start.isoformat(),
                "ends_at": (start + datetime.timedelta(hours=length)).isoformat(),
                "most_places": len(people) if full else len(people) + rng.randint(1, 2),
            }
            given["duty_shifts"].append(shift)
            for skill in needed:
                given["duty_shift_skills"].append({"duty_shift_id": shift["id"], "skill_id": skill})
            for member in people:
                where.append((member, day))
                since = now - datetime.timedelta(days=rng.randint(1, 20), minutes=rng.randint(0, 600))
                given["shift_places"].append({
                    "id": tops["b"] + len(given["shift_places"]) + 1,
                    "duty_shift_id": shift["id"],
                    "member_id": member,
                    "status": "taken",
                    "taken_at": since.isoformat(),
                    "handed_over_at": None,
                    "given_up_at": None,
                })
            needs[shift["id"]] = needed
            if first <= day <= last:
                shifts.append({**shift, "taken": len(people), "mine": 0})
        result = _survey(shifts, needs, _valid(world))
        if len(result["skills"]) == 1 and result["room"] >= 3 and result["fit"] not in (0, result["room"]):
            yield {"p": p, "given": {table: rows for table, rows in given.items() if rows}}


def solve(tools, p):
    valid = {}
    for q in tools.list_my_qualifications()["qualifications"]:
        valid[q["skill_name"]] = max(q["last_day"], valid.get(q["skill_name"], ""))
    shifts, needs = [], {}
    for found in tools.search_duty_shifts(first_day=p["first"], last_day=p["last"])["duty_shifts"]:
        shift = tools.get_duty_shift(duty_shift_id=found["id"])
        needs[shift["id"]] = [skill["name"] for skill in shift["skills"]]
        shifts.append({
            "id": shift["id"],
            "starts_at": shift["starts_at"],
            "most_places": shift["most_places"],
            "taken": shift["most_places"] - shift["free_places"],
            "mine": any(place["is_mine"] for place in shift["shift_places"]),
        })
    result = _survey(shifts, needs, valid)
    return {
        "outcome": "done",
        "answers": {
            "with_room": result["room"],
            "open_to_me": result["fit"],
            "missing_skill": result["skills"][0],
            "missing_on": result["most"],
        },
        "reason": None,
        "message": (
            f"Shifts with room that you are not on: {result['room']}; of these, your qualifications cover {result['fit']}."
            f" What you lack most often is {result['skills'][0]}, on {result['most']} of them."
        ),
    }


def _skill_name(db, skill_id):
    return db.one("SELECT z.name AS name FROM skills z WHERE z.id = ?", [skill_id])["name"]


def goal_says_how_many_have_room(world, p):
    """Says how many shifts in the span have a free place and are not the user's already."""
    return world.report.says("with_room", _truth(world.initial, p)["room"])


def goal_says_how_many_are_open(world, p):
    """Says for how many of them the user's qualifications are good."""
    return world.report.says("open_to_me", _truth(world.initial, p)["fit"])


def goal_says_the_missing_skill(world, p):
    """Says which skill the user lacks on most of them."""
    return world.report.says("missing_skill", _skill_name(world.initial, _truth(world.initial, p)["skills"][0]))


def goal_says_how_often_it_is_missing(world, p):
    """Says on how many of them that skill is what the user lacks."""
    return world.report.says("missing_on", _truth(world.initial, p)["most"])


def guard_changes_nothing(world, p):
    """Changed nothing at all."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome is None or (world.report.outcome == "done" and world.report.reason is None)

import datetime

CHILD_NAMES = ("Juno", "Pepe", "Livia", "Arlo", "Hedda", "Samir", "Cleo", "Ivo", "Nora", "Bram")


def _shift(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _turns_two(birth):
    if birth[5:] == "02-29":
        return str(int(birth[:4]) + 2) + "-03-01"
    return str(int(birth[:4]) + 2) + birth[4:]


def instances(world, rng):
    """A child and a stretch of days in which some open outings have room enough and some do not."""
    today = world.clock[:10]
    children = world.query("SELECT name, id, birth_date FROM children WHERE guardian_id = 1 ORDER BY birth_date, id")
    outings = world.query(
        "SELECT o.id, substr(o.leaves_at, 1, 10) AS day, o.staff_count,"
        " (SELECT count(*) FROM outing_places p WHERE p.woodland_outing_id = o.id AND p.status IN ('taken', 'attended')) AS n"
        " FROM woodland_outings o WHERE o.status = 'open' AND substr(o.leaves_at, 1, 10) > ? ORDER BY o.leaves_at",
        [today],
    )
    held = world.query(
        "SELECT p.woodland_outing_id AS outing, p.child_id FROM outing_places p JOIN children c ON c.id = p.child_id"
        " WHERE c.guardian_id = 1 AND p.status IN ('taken', 'attended')"
    )
    top = world.one("SELECT max(id) AS n FROM children")["n"]
    top_place = world.one("SELECT max(id) AS n FROM outing_places")["n"]
    seen = set()
    for turn in range(2000):
        given = {}
        extra = {}
        has = []
        if rng.random() < 0.65:
            names = [n for n in CHILD_NAMES if n not in [c["name"] for c in children]]
            day = rng.choice(outings)["day"]
            turning = _shift(day, rng.choice((-30, -8, -1, 0, 0, 1, 1)))
            birth = str(int(turning[:4]) - 2) + turning[4:]
            child = {"id": top + 1, "guardian_id": 1, "name": rng.choice(names), "birth_date": birth, "group_name": "Acorns"}
            given["children"] = [child]
            able = [o for o in outings if _turns_two(birth) <= o["day"] and o["n"] < 4 * o["staff_count"]]
            if able and rng.random() < 0.5:
                taken = rng.choice(able)
                given["outing_places"] = [
                    {
                        "id": top_place + 1,
                        "woodland_outing_id": taken["id"],
                        "child_id": child["id"],
                        "status": "taken",
                        "taken_at": _shift(today, -1) + "T%02d:%02d:00" % (rng.randint(8, 20), rng.choice((6, 21, 39, 52))),
                        "given_up_at": None,
                    }
                ]
                extra[taken["id"]] = 1
                has.append(taken["id"])
        else:
            child = rng.choice(children)
            has = [h["outing"] for h in held if h["child_id"] == child["id"]]
        first = _shift(today, rng.randint(1, 10))
        last = _shift(first, rng.randint(4, 16))
        spare = rng.randint(1, 5)
        inside = [o for o in outings if first <= o["day"] <= last]
        fits = [
            o for o in inside
            if o["id"] not in has
            and _turns_two(child["birth_date"]) <= o["day"]
            and 4 * o["staff_count"] - o["n"] - extra.get(o["id"], 0) - 1 >= spare
        ]
        if len(fits) < 2 or len(fits) == len(inside):
            continue
        if (child["name"], first, last, spare) in seen:
            continue
        seen.add((child["name"], first, last, spare))
        case = {"p": {"child": child["name"], "first": first, "last": last, "spare": spare, "child_id": child["id"]}}
        if given:
            case["given"] = given
        yield case


def solve(tools, p):
    child = next(c for c in tools.list_my_children()["children"] if c["name"] == p["child"])
    outings = tools.search_woodland_outings(status="open", first_day=p["first"], last_day=p["last"])["woodland_outings"]
    days = []
    for outing in outings:
        day = outing["leaves_at"][:10]
        if _turns_two(child["birth_date"]) > day:
            continue
        seen = tools.get_woodland_outing(woodland_outing_id=outing["id"])
        if any(m["child_id"] == child["id"] and m["status"] != "given_up" for m in seen["my_outing_places"]):
            continue
        if 4 * seen["staff_count"] - seen["taken_places"] - 1 >= p["spare"]:
            tools.take_outing_place(woodland_outing_id=outing["id"], child_id=child["id"])
            days.append(day)
    return {
        "outcome": "done",
        "answers": {"new_places": len(days), "first_new_day": min(days)},
        "reason": None,
        "message": f"{p['child']} has {len(days)} new places on outings; the first of them is on {min(days)}.",
    }


def _fitting(world, p):
    child = world.initial.one("SELECT birth_date FROM children WHERE id = ?", [p["child_id"]])
    rows = world.initial.query(
        "SELECT o.id, substr(o.leaves_at, 1, 10) AS day FROM woodland_outings o"
        " WHERE o.status = 'open' AND substr(o.leaves_at, 1, 10) BETWEEN ? AND ?"
        " AND NOT EXISTS (SELECT 1 FROM outing_places m WHERE m.woodland_outing_id = o.id AND m.child_id = ?"
        " AND m.status IN ('taken', 'attended'))"
        " AND o.staff_count * 4 - (SELECT count(*) FROM outing_places a WHERE a.woodland_outing_id = o.id"
        " AND a.status IN ('taken', 'attended')) - 1 >= ? ORDER BY o.leaves_at",
        [p["first"], p["last"], p["child_id"], p["spare"]],
    )
    return [row for row in rows if _turns_two(child["birth_date"]) <= row["day"]]


def goal_has_a_place_on_each(world, p):
    """The child has one taken place on every outing that fits."""
    fitting = _fitting(world, p)
    return len(fitting) > 0 and all(
        world.final.one(
            "SELECT count(*) AS n FROM outing_places WHERE woodland_outing_id = ? AND child_id = ? AND status = 'taken'",
            [row["id"], p["child_id"]],
        )["n"]
        == 1
        for row in fitting
    )


def goal_says_how_many_new_places(world, p):
    """Says how many new places the child has."""
    return world.report.says("new_places", len(_fitting(world, p)))


def goal_says_the_first_day(world, p):
    """Says on what day the first of these outings is."""
    return world.report.says("first_new_day", _fitting(world, p)[0]["day"])


def guard_takes_these_places_only(world, p):
    """Changed nothing but one new place for the child on each outing that fits."""
    left = [row["id"] for row in _fitting(world, p)]
    for change in world.changes:
        after = change["after"]
        if change["table"] != "outing_places" or change["before"] is not None or after is None:
            return False
        if after["child_id"] != p["child_id"] or after["status"] != "taken" or after["given_up_at"] is not None:
            return False
        if after["woodland_outing_id"] not in left:
            return False
        left.remove(after["woodland_outing_id"])
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_names_no_rule(world, p):
    """Names no rule, as nothing was refused."""
    return world.report.reason is None

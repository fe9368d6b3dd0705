import datetime

CHILD_NAMES = ("Finn", "Elsie", "Karim", "Runa", "Bela", "Tamsin", "Yusuf", "Greta", "Otis", "Maja")
LIMITS = (130, 140, 145, 150, 155, 160, 165, 170, 175, 180, 185)


def _minutes(leaves_at, returns_at):
    span = datetime.datetime.fromisoformat(returns_at) - datetime.datetime.fromisoformat(leaves_at)
    return int(span.total_seconds()) // 60


def _shift(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _second_birthday(birth):
    return str(int(birth[:4]) + 2) + birth[4:]


def instances(world, rng):
    """A child with places on several outings, some of them longer than the child may stay out, in a time from today."""
    today = world.clock[:10]
    children = world.query("SELECT c.id, c.name, c.birth_date FROM children c WHERE c.guardian_id = 1 ORDER BY c.name")
    outings = world.query(
        "SELECT o.id, o.leaves_at, o.returns_at, o.staff_count * 4"
        " - (SELECT count(*) FROM outing_places p WHERE p.woodland_outing_id = o.id AND p.status <> 'given_up') AS free"
        " FROM woodland_outings o WHERE o.status = 'open' AND o.leaves_at > ? ORDER BY o.leaves_at",
        [world.clock],
    )
    held = world.query(
        "SELECT p.child_id, p.woodland_outing_id FROM outing_places p JOIN children c ON c.id = p.child_id"
        " WHERE c.guardian_id = 1 AND p.status = 'taken'"
    )
    top = world.one("SELECT max(p.id) AS place, (SELECT max(c.id) FROM children c) AS child FROM outing_places p")
    by_id = {o["id"]: o for o in outings}
    seen = set()
    for turn in range(1500):
        given = {}
        if rng.random() < 0.6:
            names = [n for n in CHILD_NAMES if n not in [c["name"] for c in children]]
            age = rng.randint(26, 56)
            birth = _shift(today, -int(age * 30.4) - rng.randint(1, 20))
            if birth[5:] == "02-29":
                continue
            group = "Oaks" if age >= 44 else "Saplings" if age >= 28 else "Acorns"
            child = {"id": top["child"] + 1, "guardian_id": 1, "name": rng.choice(names), "birth_date": birth, "group_name": group}
            given["children"] = [child]
        else:
            child = rng.choice(children)
        has = [h["woodland_outing_id"] for h in held if h["child_id"] == child["id"]]
        possible = [
            o for o in outings
            if o["free"] >= 1 and o["id"] not in has and _second_birthday(child["birth_date"]) <= o["leaves_at"][:10]
        ]
        if len(possible) < 3:
            continue
        more = rng.sample(possible, rng.randint(3, min(6, len(possible))))
        places = []
        for number, outing in enumerate(sorted(more, key=lambda o: o["id"])):
            places.append(
                {
                    "id": top["place"] + 1 + number,
                    "woodland_outing_id": outing["id"],
                    "child_id": child["id"],
                    "status": "taken",
                    "taken_at": _shift(today, -2) + "T%02d:%02d:00" % (9 + number, rng.choice((4, 17, 32, 48))),
                    "given_up_at": None,
                }
            )
        given["outing_places"] = places
        down = [by_id[i] for i in has if i in by_id] + more
        last = _shift(today, rng.randint(3, 24))
        limit = rng.choice(LIMITS)
        inside = [o for o in down if o["leaves_at"][:10] <= last]
        long_ones = [o for o in inside if _minutes(o["leaves_at"], o["returns_at"]) > limit]
        doable = [o for o in long_ones if o["leaves_at"][:10] > today]
        late = [o for o in long_ones if o["leaves_at"][:10] == today]
        if len(doable) < 2 or len(down) == len(doable):
            continue
        if not late and rng.random() < 0.3:
            continue
        if (child["name"], last, limit) in seen:
            continue
        seen.add((child["name"], last, limit))
        yield {
            "p": {"child": child["name"], "first": today, "last": last, "minutes": limit, "child_id": child["id"], "now": world.clock},
            "given": given,
        }


def solve(tools, p):
    child = next(c for c in tools.list_my_children()["children"] if c["name"] == p["child"])
    places = tools.list_my_outing_places(
        child_id=child["id"], status="taken", first_day=p["first"], last_day=p["last"]
    )["outing_places"]
    count = 0
    late = False
    for place in places:
        outing = tools.get_woodland_outing(woodland_outing_id=place["woodland_outing_id"])
        if _minutes(outing["leaves_at"], outing["returns_at"]) <= p["minutes"]:
            continue
        if outing["leaves_at"][:10] == p["first"]:
            late = True
            continue
        tools.give_up_outing_place(outing_place_id=place["id"])
        count += 1
    tail = "For today's outing it is too late, so that place stays." if late else "None of them came too late."
    return {
        "outcome": "done",
        "answers": {"places_given_up": count, "too_late_for_one": late},
        "reason": None,
        "message": f"{count} places of {p['child']}'s on outings of more than {p['minutes']} minutes are given up. {tail}",
    }


def _too_long(world, p):
    rows = world.initial.query(
        "SELECT p.id, o.leaves_at, o.returns_at FROM outing_places p JOIN woodland_outings o ON o.id = p.woodland_outing_id"
        " WHERE p.child_id = ? AND p.status = 'taken' AND substr(o.leaves_at, 1, 10) BETWEEN ? AND ?",
        [p["child_id"], p["first"], p["last"]],
    )
    return [row for row in rows if _minutes(row["leaves_at"], row["returns_at"]) > p["minutes"]]


def _doable(world, p):
    found = []
    for row in _too_long(world, p):
        deadline = _shift(row["leaves_at"][:10], -1) + "T18:00:00"
        if p["now"] <= deadline:
            found.append(row["id"])
    return found


def goal_gives_up_the_long_ones(world, p):
    """Every place on an outing that is too long, and can still be given up, is given up."""
    wanted = _doable(world, p)
    return len(wanted) > 0 and all(
        world.final.one(
            "SELECT q.id FROM outing_places q WHERE q.id = ? AND q.status = 'given_up' AND q.given_up_at IS NOT NULL", [number]
        )
        is not None
        for number in wanted
    )


def goal_says_how_many(world, p):
    """Says how many places were given up."""
    return world.report.says("places_given_up", len(_doable(world, p)))


def goal_says_whether_one_is_too_late(world, p):
    """Says whether it is too late to give up one of the places on a long outing."""
    return world.report.says("too_late_for_one", len(_too_long(world, p)) > len(_doable(world, p)))


def guard_changes_these_places_only(world, p):
    """Changed nothing but these places, and of them only that they are given up."""
    wanted = _doable(world, p)
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "outing_places" or before is None or after is None:
            return False
        if before["id"] not in wanted or after["status"] != "given_up":
            return False
        if any(before[k] != after[k] for k in before if k not in ("status", "given_up_at")):
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_names_no_rule(world, p):
    """Names no rule, as nothing was refused."""
    return world.report.reason is None

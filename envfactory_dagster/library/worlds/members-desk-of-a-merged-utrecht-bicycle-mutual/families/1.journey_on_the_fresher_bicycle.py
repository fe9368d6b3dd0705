import datetime

COUNTRIES = ("Italy", "France", "Denmark", "Austria", "Switzerland", "Norway", "Sweden", "Slovenia", "Croatia")
WINTER = ("Spain", "Portugal", "Italy", "France")
RULE = "sixty_days_abroad_a_year"


def _length(starts_on, ends_on):
    return (datetime.date.fromisoformat(ends_on) - datetime.date.fromisoformat(starts_on)).days + 1


def instances(world, rng):
    """A summer or autumn journey and two bicycles of the member that have been abroad for different times this year."""
    today = datetime.date.fromisoformat(world.clock[:10])
    year = world.clock[:4]
    bicycles = world.query(
        "SELECT b.id, b.make, b.model, b.added_at FROM bicycles b JOIN policies p ON p.id = b.policy_id"
        " JOIN members m ON m.id = p.member_id WHERE m.id = 1 AND b.rider_name = m.full_name AND b.model IS NOT NULL"
        " AND EXISTS (SELECT 1 FROM covers c WHERE c.bicycle_id = b.id AND c.kind = b.kind AND c.ends_on IS NULL)"
        " AND NOT EXISTS (SELECT 1 FROM claims x JOIN covers y ON y.id = x.cover_id WHERE y.bicycle_id = b.id"
        " AND x.kind = 'theft') ORDER BY b.id"
    )
    notices = world.query(
        "SELECT t.bicycle_id, t.area, t.starts_on, t.ends_on FROM travel_notices t"
        " JOIN bicycles b ON b.id = t.bicycle_id JOIN policies p ON p.id = b.policy_id"
        " JOIN members m ON m.id = p.member_id WHERE m.id = 1 AND b.rider_name = m.full_name"
        " AND t.withdrawn_at IS NULL ORDER BY t.starts_on, t.id"
    )
    next_id = world.one("SELECT max(id) + 1 AS n FROM travel_notices")["n"]
    if len(bicycles) < 2:
        return
    while True:
        first, second = rng.sample(bicycles, 2)
        begin = today + datetime.timedelta(days=rng.randint(25, 150))
        heavy = rng.random() < 0.7
        end = begin + datetime.timedelta(days=rng.randint(20, 36) if heavy else rng.randint(9, 30))
        start, last = begin.isoformat(), end.isoformat()
        if start[:4] != year or last[:4] != year or start[5:7] not in ("05", "06", "07", "08", "09", "10"):
            continue
        busy = [(n["starts_on"], n["ends_on"]) for n in notices]
        if any(start <= b and a <= last for a, b in busy):
            continue
        busy.append((start, last))
        given = []
        used = {first["id"]: 0, second["id"]: 0}
        for n in notices:
            if n["bicycle_id"] in used and n["area"] == "elsewhere" and n["starts_on"][:4] == year:
                used[n["bicycle_id"]] += _length(n["starts_on"], n["ends_on"])
        for bicycle in (first, second):
            for _ in range(2 if heavy else rng.randint(1, 2)):
                length = rng.randint(30, 44) if heavy else rng.randint(5, 24)
                day = datetime.date(int(year), 1, 3) + datetime.timedelta(days=rng.randint(0, 150))
                until = day + datetime.timedelta(days=length - 1)
                a, b = day.isoformat(), until.isoformat()
                if until >= today or any(a <= y and x <= b for x, y in busy):
                    continue
                near = rng.random() < 0.2
                off = not near and rng.random() < 0.2
                if not near and not off and used[bicycle["id"]] + length > 60:
                    continue
                filed = day - datetime.timedelta(days=rng.randint(8, 30))
                if filed.isoformat() <= bicycle["added_at"][:10]:
                    continue
                given.append(
                    {
                        "id": next_id + len(given),
                        "bicycle_id": bicycle["id"],
                        "countries": "Belgium, Germany" if near else rng.choice(WINTER),
                        "area": "benelux_germany" if near else "elsewhere",
                        "starts_on": a,
                        "ends_on": b,
                        "filed_at": filed.isoformat() + "T20:15:00",
                        "withdrawn_at": (day - datetime.timedelta(days=3)).isoformat() + "T18:40:00" if off else None,
                    }
                )
                if not off:
                    busy.append((a, b))
                if not near and not off:
                    used[bicycle["id"]] += length
        left = {bicycle_id: 60 - days for bicycle_id, days in used.items()}
        if left[first["id"]] == left[second["id"]] or not given:
            continue
        refused = max(left.values()) < _length(start, last)
        if not refused and rng.random() < 0.6:
            continue
        instance = {
            "p": {
                "a": first["make"] + " " + first["model"],
                "b": second["make"] + " " + second["model"],
                "country": rng.choice(COUNTRIES),
                "first": start,
                "last": last,
                "pair": [first["id"], second["id"]],
                "refused": refused,
            },
            "given": {"travel_notices": given},
        }
        if refused:
            instance["kind"] = "refusal"
            instance["rule"] = RULE
        yield instance


def _days_used(notices, year):
    days = set()
    for notice in notices:
        if notice["area"] != "elsewhere" or notice["withdrawn_at"] is not None:
            continue
        day = datetime.date.fromisoformat(notice["starts_on"])
        while day <= datetime.date.fromisoformat(notice["ends_on"]):
            if day.isoformat()[:4] == year:
                days.add(day)
            day += datetime.timedelta(days=1)
    return len(days)


def solve(tools, p):
    year = p["first"][:4]
    ids = {f"{b['make']} {b['model']}": b["id"] for b in tools.list_bicycles(covered_only=True)["bicycles"]}
    left = {}
    for name in (p["a"], p["b"]):
        notices = tools.list_travel_notices(bicycle_id=ids[name], year=int(year))["travel_notices"]
        left[name] = 60 - _days_used(notices, year)
    name = max(left, key=left.get)
    try:
        tools.give_travel_notice(
            bicycle_id=ids[name], countries=[p["country"]], starts_on=p["first"], ends_on=p["last"]
        )
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {"bicycle": None, "days_left": None},
            "reason": RULE,
            "message": (
                "That cannot be done: a bicycle's journeys outside the Benelux and Germany may together cover at most"
                f" 60 days in a calendar year, and even the {name} has only {left[name]} left."
            ),
        }
    days_left = left[name] - _length(p["first"], p["last"])
    return {
        "outcome": "done",
        "answers": {"bicycle": name, "days_left": days_left},
        "reason": None,
        "message": f"I gave notice for your {name}; it has {days_left} days abroad left this year.",
    }


def _left(world, bicycle_id, year):
    rows = world.initial.query(
        "SELECT area, starts_on, ends_on, withdrawn_at FROM travel_notices WHERE bicycle_id = ? ORDER BY id",
        [bicycle_id],
    )
    return 60 - _days_used(rows, year)


def _chosen(world, p):
    """The bicycle with more days left, its name and its days left before the journey."""
    left = {bicycle_id: _left(world, bicycle_id, p["first"][:4]) for bicycle_id in p["pair"]}
    bicycle_id = max(left, key=left.get)
    return bicycle_id, (p["a"], p["b"])[p["pair"].index(bicycle_id)], left[bicycle_id]


def goal_gives_notice_or_declines(world, p):
    """Notice is given for the bicycle with more days left, or the journey is declined by the rule of 60 days."""
    if p["refused"]:
        return world.report.outcome == "refused" and world.report.reason == RULE
    new = [c["after"] for c in world.changes if c["table"] == "travel_notices" and c["before"] is None]
    return (
        len(new) == 1
        and new[0]["bicycle_id"] == _chosen(world, p)[0]
        and new[0]["starts_on"] == p["first"]
        and new[0]["ends_on"] == p["last"]
        and new[0]["area"] == "elsewhere"
        and new[0]["withdrawn_at"] is None
        and world.same_text(new[0]["countries"], p["country"])
    )


def goal_says_which_bicycle(world, p):
    """Says which bicycle it is, and none if it is declined."""
    return world.report.says("bicycle", None if p["refused"] else _chosen(world, p)[1])


def goal_says_how_many_days_are_left(world, p):
    """Says how many days it has left after the journey, and none if it is declined."""
    if p["refused"]:
        return world.report.says("days_left", None)
    return world.report.says("days_left", _chosen(world, p)[2] - _length(p["first"], p["last"]))


def guard_adds_one_notice_at_most(world, p):
    """Changed nothing but one new travel notice for one of the two bicycles, and nothing if it is declined."""
    if p["refused"]:
        return world.changes == []
    return len(world.changes) <= 1 and all(
        c["table"] == "travel_notices" and c["before"] is None and c["after"]["bicycle_id"] in p["pair"]
        for c in world.changes
    )


def guard_reports_what_is_so(world, p):
    """Reports it as done, or as refused with the rule where neither has enough days."""
    if p["refused"]:
        return world.report.outcome is None or (world.report.outcome == "refused" and world.report.reason == RULE)
    return world.report.outcome in (None, "done")

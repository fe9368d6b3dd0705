GRADES = (("easy", "easy"), ("moderate", "moderate at the hardest"), ("difficult", "of any difficulty"))
LONGEST = (2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 7.5)
HARDER = ("easy", "moderate", "difficult")


def _ways(trails, start, goal, grade, most):
    """Every way that comes by no hut twice, the shortest first, as hours and huts."""
    found, waiting = [], [(0.0, [start])]
    while waiting:
        hours, huts = waiting.pop()
        if huts[-1] == goal:
            found.append((hours, huts))
            continue
        for trail in trails:
            ends = [trail["from_hut_id"], trail["to_hut_id"]]
            if huts[-1] not in ends or trail["hours"] > most:
                continue
            if HARDER.index(trail["difficulty"]) > HARDER.index(grade):
                continue
            other = ends[1] if ends[0] == huts[-1] else ends[0]
            if other not in huts:
                waiting.append((hours + trail["hours"], [*huts, other]))
    return sorted(found)


def _trails(database):
    return database.query("SELECT from_hut_id, to_hut_id, hours, difficulty FROM trails ORDER BY id")


def instances(world, rng):
    """Two huts between which a way of two stretches or more is the shortest, and the only one of its length."""
    names = {hut["id"]: hut["name"] for hut in world.query("SELECT id, name FROM huts ORDER BY id")}
    trails = _trails(world)
    choices = [
        (start, goal, grade, most)
        for start in names
        for goal in names
        for grade in GRADES
        for most in LONGEST
        if start != goal
    ]
    rng.shuffle(choices)
    for start, goal, (grade, words), most in choices:
        ways = _ways(trails, start, goal, grade, most)
        if not ways or len(ways[0][1]) < 3 or (len(ways) > 1 and ways[1][0] == ways[0][0]):
            continue
        yield {
            "p": {
                "start": names[start],
                "goal": names[goal],
                "grade": words,
                "most": f"{most:g}",
                "from_hut": start,
                "to_hut": goal,
            }
        }


def solve(tools, p):
    grade = next(grade for grade, words in GRADES if words == p["grade"])
    huts = {hut["name"]: hut["hut_id"] for hut in tools.search_huts()["huts"]}
    reached = {p["start"]: (0.0, [])}
    waiting = [p["start"]]
    while waiting:
        here = min(waiting, key=lambda name: reached[name][0])
        waiting.remove(here)
        if here == p["goal"]:
            break
        hours, before = reached[here]
        found = tools.find_trails(hut_id=huts[here], max_hours=float(p["most"]), max_difficulty=grade)
        for trail in found["trails"]:
            there, whole = trail["to_hut"], hours + trail["hours"]
            if there not in reached or whole < reached[there][0]:
                reached[there] = (whole, [*before, here])
                waiting = [*(name for name in waiting if name != there), there]
    hours, before = reached[p["goal"]]
    return {
        "outcome": "done",
        "answers": {"hours": hours, "huts_between": before[1:]},
        "reason": None,
        "message": f"The shortest way takes {hours:g} hours and leads by {', '.join(before[1:])}.",
    }


def _shortest(world, p):
    grade = next(grade for grade, words in GRADES if words == p["grade"])
    return _ways(_trails(world.initial), p["from_hut"], p["to_hut"], grade, float(p["most"]))[0]


def goal_says_the_hours(world, p):
    """Says how many hours the shortest way takes."""
    return world.report.says("hours", _shortest(world, p)[0])


def goal_says_the_huts_between(world, p):
    """Says which huts lie on the way, in their order."""
    names = {hut["id"]: hut["name"] for hut in world.initial.query("SELECT id, name FROM huts")}
    return world.report.says("huts_between", [names[hut] for hut in _shortest(world, p)[1][1:-1]])


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return world.changes == []


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

import datetime

FIVE_CENTS = 590000
SINGLE_CENTS = (("manual", 130000), ("automatic", 145000))


def _best(budget, single):
    """The packs and single lessons that give the most lessons; None where two ways give as many."""
    ways = []
    for packs in range(budget // FIVE_CENTS + 1):
        singles = (budget - packs * FIVE_CENTS) // single
        ways.append((5 * packs + singles, packs, singles))
    ways.sort(reverse=True)
    return None if len(ways) > 1 and ways[0][0] == ways[1][0] else ways[0]


def _way(wanted, budget, single):
    """Number, packs and single lessons: all that are wanted, or else the most for the money; None where that is left open."""
    packs, singles = divmod(wanted, 5)
    return (wanted, packs, singles) if packs * FIVE_CENTS + singles * single <= budget else _best(budget, single)


def instances(world, rng):
    """A course that is active, no money long overdue, a number of lessons and a sum that is enough for them or not."""
    course = world.one(
        "SELECT id, transmission, instructor_id FROM course_packages WHERE pupil_id = 1 AND kind IN ('full_course', 'student_course')"
        " AND status = 'active' AND (expires_on IS NULL OR expires_on >= ?)", [world.clock[:10]])
    if course is None:
        return
    single = dict(SINGLE_CENTS)[course["transmission"]]
    pairs = [(wanted, budget) for wanted in range(3, 10) for budget in range(400000, 1300000, 20000)]
    rng.shuffle(pairs)
    for wanted, budget in pairs:
        way = _way(wanted, budget, single)
        most = _best(budget, single)
        if way is None or most is None or way[1] + way[2] < 3 or budget > wanted * single + 250000:
            continue
        if most[0] == wanted:
            continue
        yield {"p": {"wanted": wanted, "budget": budget, "course": course["id"], "packs": way[1], "singles": way[2], "number": way[0],
                     "cost": way[1] * FIVE_CENTS + way[2] * single}}


def solve(tools, p):
    packages = tools.list_course_packages(status="active")["course_packages"]
    course = next(one for one in packages if one["kind"] in ("full_course", "student_course"))
    _, packs, singles = _way(p["wanted"], p["budget"], dict(SINGLE_CENTS)[course["transmission"]])
    cost = 0
    for lessons in [5] * packs + [1] * singles:
        cost += tools.buy_top_up_lessons(course_package_id=course["id"], lessons=lessons)["amount_cents"]
    number = 5 * packs + singles
    return {
        "outcome": "done",
        "answers": {"lessons": number, "cost": cost},
        "reason": None,
        "message": f"You have {number} more lessons now; they cost {cost // 100} CZK altogether.",
    }


def goal_has_the_most_lessons(world, p):
    """Has exactly the packs and single lessons that are the cheapest way to the number, or give the most for the money."""
    rows = world.final.query(
        "SELECT kind, COUNT(*) AS n FROM course_packages WHERE pupil_id = 1 AND id > ? GROUP BY kind",
        [world.initial.one("SELECT MAX(id) AS top FROM course_packages")["top"]])
    bought = {row["kind"]: row["n"] for row in rows}
    return bought.get("five_top_up_lessons", 0) == p["packs"] and bought.get("top_up_lesson", 0) == p["singles"]


def goal_says_how_many(world, p):
    """Says how many lessons were bought."""
    return world.report.says("lessons", p["number"])


def goal_says_what_they_cost(world, p):
    """Says what the lessons cost altogether."""
    return world.report.says("cost", p["cost"])


def guard_buys_only_these(world, p):
    """Adds only top-up lessons to the course, each with its one charge, no more of either kind than the money gives."""
    course = world.initial.one("SELECT instructor_id, transmission FROM course_packages WHERE id = ?", [p["course"]])
    single = dict(SINGLE_CENTS)[course["transmission"]]
    bought, charged = {}, []
    for change in world.changes:
        after = change["after"]
        if change["before"] is not None or after is None or after["pupil_id"] != 1:
            return False
        if change["table"] == "course_packages":
            bought[after["id"]] = after
        elif change["table"] == "charges" and after["kind"] == "top_up" and after["credited_cents"] == 0:
            charged.append((after["course_package_id"], after["amount_cents"]))
        else:
            return False
    for row in bought.values():
        if (row["kind"], row["hours_included"], row["price_cents"]) not in (
                ("five_top_up_lessons", 10, FIVE_CENTS), ("top_up_lesson", 2, single)):
            return False
        if row["instructor_id"] != course["instructor_id"] or row["transmission"] != course["transmission"] or row["status"] != "active" or (
                row["first_lesson_on"] is not None or row["extended_at"] is not None or row["free_move_used_at"] is not None):
            return False
    kinds = [row["kind"] for row in bought.values()]
    return sorted(charged) == sorted((row["id"], row["price_cents"]) for row in bought.values()) and (
        kinds.count("five_top_up_lessons") <= p["packs"] and kinds.count("top_up_lesson") <= p["singles"])


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

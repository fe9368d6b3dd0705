def instances(world, rng):
    """Ten to fourteen varieties of a garden, of which some go without a pollinator, and one best variety to add."""
    varieties = world.query("SELECT id, name, fruit FROM varieties WHERE code <> 'H-16' ORDER BY id")
    pairs = world.query(
        "SELECT x.variety_id, x.pollinator_id, v.name FROM pollinations x JOIN varieties v ON v.id = x.pollinator_id"
        " ORDER BY x.id"
    )
    apples = [row for row in varieties if row["fruit"] == "apple"]
    pears = [row for row in varieties if row["fruit"] == "pear"]
    for _ in range(1500):
        garden = rng.sample(apples, rng.randrange(5, 10)) + rng.sample(pears, rng.randrange(4, 6))
        rng.shuffle(garden)
        if not 10 <= len(garden) <= 14:
            continue
        ids = {row["id"] for row in garden}
        without, helps = [], {}
        for row in garden:
            partners = [pair for pair in pairs if pair["variety_id"] == row["id"]]
            if any(pair["pollinator_id"] in ids for pair in partners):
                continue
            without.append(row["name"])
            for pair in partners:
                helps[pair["name"]] = helps.get(pair["name"], 0) + 1
        if not 2 <= len(without) <= 5:
            continue
        ranked = sorted(helps.items(), key=lambda item: (-item[1], item[0]))
        if len(ranked) > 1 and ranked[0][1] == ranked[1][1]:
            continue
        yield {
            "p": {
                "names": [row["name"] for row in garden],
                "without": without,
                "best": ranked[0][0],
            }
        }


def solve(tools, p):
    partners = {}
    for name in p["names"]:
        found = tools.search_varieties(text=name)["varieties"]
        variety = next(v for v in found if v["name"] == name)
        rows = tools.list_pollinators(variety_id=variety["variety_id"])["pollinators"]
        partners[name] = [row["name"] for row in rows]
    without = [name for name in p["names"] if not any(other in partners for other in partners[name])]
    helps = {}
    for name in without:
        for other in partners[name]:
            helps[other] = helps.get(other, 0) + 1
    best = min(helps, key=lambda other: (-helps[other], other))
    return {
        "outcome": "done",
        "answers": {"without_pollinator": without, "variety_to_add": best},
        "reason": None,
        "message": f"Without a pollinator are {', '.join(without)}; {best} would help {helps[best]} of them.",
    }


def goal_names_those_without_pollinator(world, p):
    """Names the varieties that have no pollinator in the garden."""
    return world.report.says("without_pollinator", p["without"])


def goal_names_the_variety_to_add(world, p):
    """Names the one variety that pollinates the most of them."""
    return world.report.says("variety_to_add", p["best"])


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world, p):
    """Reports that it is done, for no rule as a reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None

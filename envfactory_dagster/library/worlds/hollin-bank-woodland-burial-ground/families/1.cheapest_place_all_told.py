import datetime


def _moment(rng, first, last):
    """A moment in office hours on a day from first to last."""
    day = first + datetime.timedelta(days=rng.randint(0, (last - first).days))
    return f"{day.isoformat()}T{rng.randint(9, 17):02d}:{rng.choice((0, 5, 10, 20, 25, 40, 55)):02d}:00"


def _place(rng, taken, low, high, near, far):
    """A bearing and a distance that no plot has yet."""
    while True:
        bearing = rng.randint(low, high)
        distance = rng.randint(near * 2, far * 2) / 2
        if (bearing, distance) not in taken:
            taken.add((bearing, distance))
            return bearing, distance


def _price(rng, distance):
    """A price that falls with the distance from the survey post."""
    return max(48000, (112000 - int(distance * 900) + rng.randrange(-9000, 9001)) // 500 * 500)


def instances(world, rng):
    """A part of the ground with at least four free plots on at least three soils, and a sum between their totals."""
    free = world.query(
        "SELECT p.bearing_degrees, p.distance_m, p.soil_id, p.price_cents, p.upkeep_cents FROM plots p"
        " WHERE p.status = 'free' ORDER BY p.id"
    )
    others = world.query("SELECT bearing_degrees, distance_m FROM plots WHERE status <> 'free' ORDER BY id")
    trees = world.query(
        "SELECT s.id AS soil_id, min(t.price_cents) AS cents FROM soils s"
        " JOIN tree_species_soils x ON x.soil_id = s.id JOIN tree_species t ON t.id = x.tree_species_id"
        " GROUP BY s.id ORDER BY s.id"
    )
    last = world.one("SELECT max(id) AS plot, 1.0 * sum(refund_cents) / sum(price_cents) AS share FROM plots")
    cheapest = {tree["soil_id"]: tree["cents"] for tree in trees}
    for _ in range(600):
        low = rng.randint(0, 50) * 5
        high = min(359, low + rng.randint(10, 24) * 5)
        far = rng.randint(7, 12) * 5
        years = rng.randint(5, 30)
        taken = {(plot["bearing_degrees"], plot["distance_m"]) for plot in free + others}
        given = []
        for number in range(1, rng.randint(4, 7)):
            bearing, distance = _place(rng, taken, low, high, 12, far + 6)
            price = _price(rng, distance)
            given.append({
                "id": last["plot"] + number, "soil_id": rng.choice(sorted(cheapest)), "bearing_degrees": bearing,
                "distance_m": distance, "price_cents": price, "upkeep_cents": rng.randrange(3300, 5101, 300),
                "refund_cents": int(price * round(last["share"], 1)), "status": "free",
            })
        area = [
            plot
            for plot in free + given
            if low <= plot["bearing_degrees"] <= high and plot["distance_m"] <= far
        ]
        totals = sorted(
            plot["price_cents"] + years * plot["upkeep_cents"] + cheapest[plot["soil_id"]] for plot in area
        )
        if len(totals) < 4 or len({plot["soil_id"] for plot in area}) < 3 or totals[0] == totals[1]:
            continue
        within = rng.randint(1, len(totals) - 1)
        budget = totals[within - 1] // 1000 * 1000 + 1000
        if budget >= totals[within]:
            continue
        yield {
            "p": {"low": low, "high": high, "far": far, "years": years, "budget": budget},
            "given": {"plots": given},
        }


def solve(tools, p):
    plots = tools.search_plots(
        status="free", min_bearing_degrees=p["low"], max_bearing_degrees=p["high"], max_distance_m=p["far"]
    )["plots"]
    trees = {}
    totals = []
    for plot in plots:
        soil = plot["soil_id"]
        if soil not in trees:
            trees[soil] = min(
                tools.search_tree_species(soil_id=soil)["tree_species"], key=lambda tree: tree["price_cents"]
            )
        total = plot["price_cents"] + p["years"] * plot["upkeep_cents"] + trees[soil]["price_cents"]
        totals.append((total, plot, trees[soil]["name"]))
    total, plot, tree = min(totals, key=lambda item: item[0])
    within = sum(1 for item in totals if item[0] <= p["budget"])
    return {
        "outcome": "done",
        "answers": {
            "bearing": plot["bearing_degrees"],
            "distance": plot["distance_m"],
            "tree": tree,
            "total": total,
            "within_budget": within,
        },
        "reason": None,
        "message": (
            f"The cheapest in the end is the plot at bearing {plot['bearing_degrees']} degrees, {plot['distance_m']} metres"
            f" from the survey post, with {tree} as its tree, at {total / 100:.2f} euros in all."
            f" Plots in that area that stay within your sum: {within}."
        ),
    }


def _totals(world, p):
    """The free plots in the area with their cheapest tree and their total, lowest first."""
    return world.initial.query(
        "SELECT p.bearing_degrees AS bearing, p.distance_m AS distance, t.name AS tree,"
        " p.price_cents + ? * p.upkeep_cents + t.price_cents AS total"
        " FROM plots p JOIN tree_species_soils x ON x.soil_id = p.soil_id JOIN tree_species t ON t.id = x.tree_species_id"
        " WHERE p.status = 'free' AND p.bearing_degrees BETWEEN ? AND ? AND p.distance_m <= ?"
        " AND t.price_cents = (SELECT min(u.price_cents) FROM tree_species u"
        " JOIN tree_species_soils y ON y.tree_species_id = u.id WHERE y.soil_id = p.soil_id)"
        " ORDER BY total, p.id",
        [p["years"], p["low"], p["high"], p["far"]],
    )


def goal_says_bearing(world, p):
    """Says at which bearing the plot with the lowest total lies."""
    return world.report.says("bearing", _totals(world, p)[0]["bearing"])


def goal_says_distance(world, p):
    """Says how far from the survey post the plot with the lowest total lies."""
    return world.report.says("distance", _totals(world, p)[0]["distance"])


def goal_says_tree(world, p):
    """Names the cheapest kind of tree for the soil of that plot."""
    return world.report.says("tree", _totals(world, p)[0]["tree"])


def goal_says_total(world, p):
    """Says what that plot, its upkeep and its tree come to."""
    return world.report.says("total", _totals(world, p)[0]["total"])


def goal_says_how_many_within_budget(world, p):
    """Says how many of the plots stay within the sum."""
    return world.report.says("within_budget", sum(1 for row in _totals(world, p) if row["total"] <= p["budget"]))


def guard_changes_nothing(world, p):
    """Changed nothing, as only an answer was wanted."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world, p):
    """Reports that it is done, without a rule that forbids it."""
    return world.report.outcome is None or (world.report.outcome == "done" and world.report.reason is None)

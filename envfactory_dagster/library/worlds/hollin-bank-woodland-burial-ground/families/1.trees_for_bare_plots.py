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
    """Plots of the user with and without a tree, a kind that is ruled out, and a limit that some soils keep to."""
    today = datetime.date.fromisoformat(world.clock[:10])
    held = world.query(
        "SELECT p.id, p.soil_id, EXISTS (SELECT 1 FROM memorial_trees m WHERE m.plot_id = p.id"
        " AND m.status IN ('ordered', 'planted')) AS has_tree FROM plots p JOIN reservations r ON r.plot_id = p.id"
        " WHERE r.family_contact_id = 1 AND r.status IN ('active', 'used') ORDER BY p.id"
    )
    species = world.query(
        "SELECT t.id, t.name, t.price_cents, x.soil_id FROM tree_species t"
        " JOIN tree_species_soils x ON x.tree_species_id = t.id ORDER BY t.price_cents, t.id, x.soil_id"
    )
    places = world.query("SELECT distance_m, bearing_degrees FROM plots ORDER BY id")
    last = world.one(
        "SELECT max(id) AS tree, (SELECT max(id) FROM plots) AS plot, (SELECT max(id) FROM reservations) AS reservation,"
        " (SELECT 1.0 * sum(refund_cents) / sum(price_cents) FROM plots) AS share FROM memorial_trees"
    )
    soils = sorted({row["soil_id"] for row in species})
    names = sorted({row["name"] for row in species})
    year = today.year if today.month >= 4 else today.year - 1
    season = [datetime.date(year, 11, 1) + datetime.timedelta(days=n) for n in range(152)]
    season = [day for day in season if today < day <= datetime.date(year + 1, 3, 31)]
    for _ in range(600):
        avoid = rng.choice(names)
        if rng.random() < 0.5:
            avoid = rng.choice(species[:6])["name"]
        cheapest = {}
        for row in species:
            if row["name"] != avoid:
                cheapest.setdefault(row["soil_id"], row["price_cents"])
        limit = rng.choice(sorted(cheapest.values())) + rng.choice((-400, -200, 300, 500, 1500))
        taken = {(place["bearing_degrees"], place["distance_m"]) for place in places}
        given = {"plots": [], "reservations": [], "memorial_trees": []}
        mine = list(held)
        for number in range(1, rng.randint(3, 4)):
            soil = rng.choice(soils)
            state = rng.choice(("none", "dead", "dead", "cancelled", "planted"))
            bearing, distance = _place(rng, taken, 0, 359, 12, 60)
            price = _price(rng, distance)
            plot_id = last["plot"] + number
            given["plots"].append({
                "id": plot_id, "soil_id": soil, "bearing_degrees": bearing, "distance_m": distance,
                "price_cents": price, "upkeep_cents": rng.randrange(3300, 5101, 300),
                "refund_cents": int(price * round(last["share"], 1)), "status": rng.choice(("opened", "closed", "closed")),
            })
            given["reservations"].append({
                "id": last["reservation"] + number, "family_contact_id": 1, "plot_id": plot_id,
                "price_cents": int(price * 0.8) // 500 * 500, "upkeep_paid_until_year": today.year + rng.randint(0, 5),
                "status": "used", "reserved_at": _moment(rng, datetime.date(2005, 3, 1), datetime.date(2016, 12, 20)),
                "used_at": _moment(rng, datetime.date(2017, 2, 1), datetime.date(2021, 8, 20)),
            })
            mine.append({"id": plot_id, "soil_id": soil, "has_tree": int(state == "planted")})
            if state == "none":
                continue
            kind = rng.choice([row for row in species if row["soil_id"] == soil])
            autumn = rng.randint(2022, 2025)
            tree = {
                "id": last["tree"] + number, "family_contact_id": 1, "plot_id": plot_id, "tree_species_id": kind["id"],
                "price_cents": int(kind["price_cents"] * 0.9) // 100 * 100,
                "planting_date": f"{autumn}-11-{rng.randint(10, 28)}", "status": state,
                "ordered_at": _moment(rng, datetime.date(autumn, 8, 1), datetime.date(autumn, 9, 15)),
            }
            if state == "cancelled":
                tree["cancelled_at"] = _moment(rng, datetime.date(autumn, 9, 20), datetime.date(autumn, 10, 12))
            if state == "dead":
                tree["died_on"] = f"{autumn + 1 if autumn < 2025 else 2026}-0{rng.randint(5, 8)}-{rng.randint(10, 28)}"
            given["memorial_trees"].append(tree)
        bare = [plot for plot in mine if not plot["has_tree"]]
        orders = [plot for plot in bare if cheapest.get(plot["soil_id"], limit + 1) <= limit]
        if not 2 <= len(orders) <= 4:
            continue
        if not any(row["name"] == avoid and row["soil_id"] == plot["soil_id"] for row in species for plot in bare):
            continue
        yield {"p": {"day": rng.choice(season).isoformat(), "avoid": avoid, "limit": limit}, "given": given}


def solve(tools, p):
    plots = [
        r["plot_id"]
        for r in tools.list_my_reservations()["reservations"]
        if r["status"] in ("active", "used")
    ]
    with_tree = {
        tree["plot_id"]
        for tree in tools.list_my_memorial_trees()["memorial_trees"]
        if tree["status"] in ("ordered", "planted")
    }
    trees = {}
    ordered = 0
    total = 0
    for plot_id in plots:
        if plot_id in with_tree:
            continue
        soil = tools.get_plot(plot_id=plot_id)["soil_id"]
        if soil not in trees:
            trees[soil] = [
                tree
                for tree in tools.search_tree_species(soil_id=soil, max_price_cents=p["limit"])["tree_species"]
                if tree["name"].lower() != p["avoid"].lower()
            ]
        if trees[soil]:
            tree = min(trees[soil], key=lambda kind: kind["price_cents"])
            tools.order_memorial_tree(plot_id=plot_id, tree_species_id=tree["id"], planting_date=p["day"])
            ordered += 1
            total += tree["price_cents"]
    return {
        "outcome": "done",
        "answers": {"trees_ordered": ordered, "total": total},
        "reason": None,
        "message": f"Trees ordered: {ordered}, at {total / 100:.2f} euros altogether.",
    }


def _wanted(world, p):
    """The tree that has to be ordered for each bare plot: plot, kind and price."""
    rows = world.initial.query(
        "SELECT r.plot_id, t.id AS tree_species_id, t.price_cents FROM reservations r JOIN plots p ON p.id = r.plot_id"
        " JOIN tree_species_soils x ON x.soil_id = p.soil_id JOIN tree_species t ON t.id = x.tree_species_id"
        " WHERE r.family_contact_id = 1 AND r.status IN ('active', 'used') AND t.name <> ? AND t.price_cents <= ?"
        " AND NOT EXISTS (SELECT 1 FROM memorial_trees m WHERE m.plot_id = p.id AND m.status IN ('ordered', 'planted'))"
        " ORDER BY r.plot_id, t.price_cents",
        [p["avoid"], p["limit"]],
    )
    wanted = {}
    for row in rows:
        wanted.setdefault(row["plot_id"], row)
    return wanted


def goal_ordered_a_tree_for_every_bare_plot(world, p):
    """Every bare plot for which a kind fits has the cheapest such tree on order for that day."""
    wanted = _wanted(world, p)
    for plot_id, tree in wanted.items():
        rows = world.final.query(
            "SELECT family_contact_id, tree_species_id, price_cents, planting_date FROM memorial_trees"
            " WHERE plot_id = ? AND status = 'ordered'",
            [plot_id],
        )
        right = {
            "family_contact_id": 1, "tree_species_id": tree["tree_species_id"],
            "price_cents": tree["price_cents"], "planting_date": p["day"],
        }
        if rows != [right]:
            return False
    return len(wanted) > 0


def goal_says_how_many(world, p):
    """Says how many trees were ordered."""
    return world.report.says("trees_ordered", len(_wanted(world, p)))


def goal_says_total(world, p):
    """Says what the ordered trees come to altogether."""
    return world.report.says("total", sum(tree["price_cents"] for tree in _wanted(world, p).values()))


def guard_adds_only_the_wanted_orders(world, p):
    """Changed nothing but one new order of the user's for each bare plot for which a kind fits."""
    wanted = _wanted(world, p)
    seen = []
    for change in world.changes:
        after = change["after"]
        if change["table"] != "memorial_trees" or change["before"] is not None or after is None:
            return False
        if after["plot_id"] not in wanted or after["family_contact_id"] != 1 or after["status"] != "ordered":
            return False
        if after["tree_species_id"] != wanted[after["plot_id"]]["tree_species_id"] or after["planting_date"] != p["day"]:
            return False
        seen.append(after["plot_id"])
    return len(seen) == len(set(seen))


def guard_reports_it_as_done(world, p):
    """Reports that it is done, without a rule that forbids it."""
    return world.report.outcome is None or (world.report.outcome == "done" and world.report.reason is None)

import datetime


def _places(world, p):
    """The places that fall on planting days, read off the databases."""
    rows = world.query(
        "SELECT p.id, c.name, substr(o.leaves_at, 1, 10) AS day FROM nursery_outing_places p JOIN nursery_children c"
        " ON c.id = p.child_id JOIN nursery_woodland_outings o ON o.id = p.woodland_outing_id"
        " WHERE c.guardian_id = 1 AND p.status = 'taken' AND substr(o.leaves_at, 1, 10) IN"
        " (SELECT planting_date FROM ground_memorial_trees WHERE family_contact_id = 1 AND status = 'ordered'"
        " AND planting_date <= ?) ORDER BY o.leaves_at, c.name",
        [p["last"]],
    )
    return [row for row in rows if row["name"] in p["children"]]


def instances(world, rng):
    """Trees ordered for plots that have none, and outings on their planting days and on others."""
    plots = world.query(
        "SELECT p.id, max(x.tree_species_id) AS species FROM ground_plots p JOIN ground_tree_species_soils x"
        " ON x.soil_id = p.soil_id JOIN ground_reservations r ON r.plot_id = p.id AND r.family_contact_id = 1"
        " AND r.status IN ('active', 'used') WHERE p.id NOT IN (SELECT plot_id FROM ground_memorial_trees"
        " WHERE status IN ('ordered', 'planted')) GROUP BY p.id"
    )
    price = {row["id"]: row["price_cents"] for row in world.query("SELECT id, price_cents FROM ground_tree_species")}
    children = world.query("SELECT id, name FROM nursery_children WHERE guardian_id = 1 ORDER BY id")
    others = [row["id"] for row in world.query("SELECT id FROM nursery_children WHERE guardian_id <> 1 ORDER BY id")]
    ordered = [row["planting_date"] for row in world.query(
        "SELECT planting_date FROM ground_memorial_trees WHERE family_contact_id = 1 AND status = 'ordered'"
    )]
    top = world.one(
        "SELECT (SELECT max(id) FROM ground_memorial_trees) AS tree, (SELECT max(id) FROM nursery_outing_places) AS place,"
        " (SELECT max(id) FROM nursery_woodland_outings) AS outing"
    )
    while True:
        trees, days = [], list(ordered)
        for plot in rng.sample(plots, rng.randint(1, len(plots))):
            day = datetime.date(2026, 11, 3) + datetime.timedelta(days=rng.randint(0, 24))
            if day.weekday() > 4 or day.isoformat() in days:
                continue
            days.append(day.isoformat())
            trees.append({
                "id": top["tree"] + 1 + len(trees), "family_contact_id": 1, "plot_id": plot["id"],
                "tree_species_id": plot["species"], "price_cents": price[plot["species"]],
                "planting_date": day.isoformat(), "status": "ordered", "ordered_at": "2026-10-05T11:25:00",
                "cancelled_at": None, "died_on": None,
            })
        chosen = [c["name"] for c in (children if rng.random() < 0.6 else [rng.choice(children)])]
        last = (datetime.date(2026, 11, 2) + datetime.timedelta(days=rng.randint(4, 26))).isoformat()
        outings, places, met = [], [], 0
        for day in sorted({*days, *((datetime.date(2026, 11, rng.randint(2, 27))).isoformat() for _ in range(6))}):
            if datetime.date.fromisoformat(day).weekday() > 4 or rng.random() < 0.15:
                continue
            number = top["outing"] + 1 + len(outings)
            outings.append({
                "id": number, "leaves_at": f"{day}T09:30:00", "returns_at": f"{day}T12:30:00",
                "meeting_spot": rng.choice(["Chestnut Bank", "Boat Shed", "Fox Hollow"]), "staff_count": 2,
                "status": "open", "called_off_at": None,
            })
            going = [c for c in children if rng.random() < 0.7]
            met += sum(c["name"] in chosen for c in going) if day in days and day <= last else 0
            for child in [*(c["id"] for c in going), *rng.sample(others, 3)]:
                places.append({
                    "id": top["place"] + 1 + len(places), "woodland_outing_id": number, "child_id": child,
                    "status": "taken", "taken_at": "2026-10-12T09:40:00", "given_up_at": None,
                })
        if not met or not trees:
            continue
        given = {
            "ground_memorial_trees": trees, "nursery_woodland_outings": outings, "nursery_outing_places": places,
        }
        yield {"p": {"children": chosen, "last": last}, "given": given}


def solve(tools, p):
    trees = tools.ground_list_my_memorial_trees(status="ordered")["memorial_trees"]
    days, given_up = {t["planting_date"] for t in trees if t["planting_date"] <= p["last"]}, []
    for day in sorted(days):
        found = tools.nursery_list_my_outing_places(status="taken", first_day=day, last_day=day)["outing_places"]
        for place in found:
            if place["child_name"] in p["children"]:
                tools.nursery_give_up_outing_place(outing_place_id=place["id"])
                given_up.append(day)
    dates = sorted(set(given_up))
    return {
        "outcome": "done",
        "answers": {"places": len(given_up), "days": dates},
        "reason": None,
        "message": f"Places given up: {len(given_up)}, on {', '.join(dates)}.",
    }


def goal_has_given_up_these_places(world, p):
    """Has given up every place of these children on a planting day, and no other."""
    gone = {change["after"]["id"] for change in world.changes if change["table"] == "nursery_outing_places"}
    return gone == {row["id"] for row in _places(world.initial, p)}


def goal_says_how_many(world, p):
    """Says how many places it was."""
    return world.report.says("places", len(_places(world.initial, p)))


def goal_says_the_days(world, p):
    """Says on which days."""
    return world.report.says("days", sorted({row["day"] for row in _places(world.initial, p)}))


def guard_gives_up_places_only(world, p):
    """Changed nothing but the state of places that were taken, and nothing at the burial ground."""
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "nursery_outing_places" or before is None or after is None:
            return False
        if {**before, "status": "given_up", "given_up_at": after["given_up_at"]} != after:
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

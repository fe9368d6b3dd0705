import datetime


def _plantings(world, p):
    return {row["day"] for row in world.query(
        "SELECT planting_date AS day FROM ground_memorial_trees WHERE family_contact_id = 1 AND status = 'ordered'"
        " AND planting_date BETWEEN ? AND ?",
        [p["first"], p["last"]],
    )}


def _outings(world, p):
    return {row["day"] for row in world.query(
        "SELECT substr(o.leaves_at, 1, 10) AS day FROM nursery_woodland_outings o JOIN nursery_outing_places p"
        " ON p.woodland_outing_id = o.id WHERE p.child_id = ? AND p.status = 'taken'"
        " AND substr(o.leaves_at, 1, 10) BETWEEN ? AND ?",
        [p["child_id"], p["first"], p["last"]],
    )}


def instances(world, rng):
    """Periods of one to five weeks, trees on order in them, and outings on planting days and on others."""
    plots = world.query(
        "SELECT p.id, (SELECT max(x.tree_species_id) FROM ground_tree_species_soils x WHERE x.soil_id = p.soil_id)"
        " AS species FROM ground_plots p WHERE p.id IN (SELECT plot_id FROM ground_reservations"
        " WHERE family_contact_id = 1 AND status IN ('active', 'used')) AND p.id NOT IN"
        " (SELECT plot_id FROM ground_memorial_trees WHERE status IN ('ordered', 'planted')) ORDER BY p.id DESC"
    )
    price = {row["id"]: row["c"] for row in world.query("SELECT id, price_cents AS c FROM ground_tree_species")}
    children = world.query("SELECT id, name FROM nursery_children WHERE guardian_id = 1 ORDER BY birth_date")
    top = world.one(
        "SELECT (SELECT max(id) FROM nursery_woodland_outings) AS outing, (SELECT max(id) FROM ground_memorial_trees) AS tree,"
        " (SELECT max(id) FROM nursery_outing_places) AS place"
    )
    while True:
        child = rng.choice(children)
        first = datetime.date(2026, 10, 15) + datetime.timedelta(days=rng.randint(0, 25))
        last = first + datetime.timedelta(days=rng.randint(8, 35))
        trees, outings, places = [], [], []
        for plot in plots:
            day = datetime.date(2026, 11, 3) + datetime.timedelta(days=rng.randint(0, 30))
            if rng.random() < 0.8:
                trees.append({
                    "id": top["tree"] + 1 + len(trees), "family_contact_id": 1, "plot_id": plot["id"],
                    "tree_species_id": plot["species"], "price_cents": price[plot["species"]],
                    "planting_date": day.isoformat(), "status": "ordered", "ordered_at": "2026-10-06T19:05:00",
                    "cancelled_at": None, "died_on": None,
                })
        wanted = {t["planting_date"] for t in trees} | {
            (datetime.date(2026, 11, 2) + datetime.timedelta(days=rng.randint(0, 35))).isoformat() for _ in range(5)
        }
        for day in sorted(wanted):
            if datetime.date.fromisoformat(day).weekday() > 4 or rng.random() < 0.2:
                continue
            number = top["outing"] + 1 + len(outings)
            outings.append({
                "id": number, "leaves_at": f"{day}T09:00:00", "returns_at": f"{day}T11:45:00",
                "meeting_spot": rng.choice(["Fox Hollow", "Chestnut Bank", "Old Beech Gate"]), "staff_count": 2,
                "status": "open", "called_off_at": None,
            })
            for one in children:
                if rng.random() < 0.7:
                    up = rng.random() < 0.2
                    places.append({
                        "id": top["place"] + 1 + len(places), "woodland_outing_id": number, "child_id": one["id"],
                        "status": "given_up" if up else "taken", "taken_at": "2026-10-11T20:10:00",
                        "given_up_at": "2026-10-13T07:55:00" if up else None,
                    })
        p = {
            "first": first.isoformat(), "last": last.isoformat(), "child": child["name"], "child_id": child["id"],
        }
        day_of = {o["id"]: o["leaves_at"][:10] for o in outings}
        going = {
            day_of[one["woodland_outing_id"]] for one in places
            if one["child_id"] == child["id"] and one["status"] == "taken"
        } | _outings(world, p)
        planting = {t["planting_date"] for t in trees} | _plantings(world, p)
        inside = [{day for day in days if p["first"] <= day <= p["last"]} for days in (going, planting)]
        if not all(inside) or not places:
            continue
        given = {
            "ground_memorial_trees": trees, "nursery_woodland_outings": outings, "nursery_outing_places": places,
        }
        yield {"p": p, "given": {table: rows for table, rows in given.items() if rows}}


def solve(tools, p):
    trees = tools.ground_list_my_memorial_trees(status="ordered")["memorial_trees"]
    planting = {t["planting_date"] for t in trees if p["first"] <= t["planting_date"] <= p["last"]}
    child = next(c for c in tools.nursery_list_my_children()["children"] if c["name"] == p["child"])
    places = tools.nursery_list_my_outing_places(
        child_id=child["id"], status="taken", first_day=p["first"], last_day=p["last"]
    )["outing_places"]
    days = sorted(planting | {place["leaves_at"][:10] for place in places})
    return {
        "outcome": "done",
        "answers": {"days": days, "planting_days": len(planting)},
        "reason": None,
        "message": f"These days are taken: {', '.join(days)}. Trees are planted on {len(planting)} of them.",
    }


def goal_says_the_days(world, p):
    """Says every day on which something is fixed."""
    return world.report.says("days", sorted(_plantings(world.initial, p) | _outings(world.initial, p)))


def goal_says_how_many_are_planting_days(world, p):
    """Says on how many of them a tree is planted."""
    return world.report.says("planting_days", len(_plantings(world.initial, p)))


def guard_changes_nothing(world, p):
    """Changed nothing in either place."""
    return world.changes == []


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

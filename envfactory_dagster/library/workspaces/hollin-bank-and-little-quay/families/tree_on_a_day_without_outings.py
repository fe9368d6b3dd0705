import datetime


def _weekday_from(first, busy):
    day = datetime.date.fromisoformat(first)
    while day.weekday() > 4 or day.isoformat() in busy:
        day += datetime.timedelta(days=1)
    return day.isoformat()


def _busy(world):
    """The days on which a child of the user has a place, read off the database."""
    return {row["day"] for row in world.query(
        "SELECT DISTINCT substr(o.leaves_at, 1, 10) AS day FROM nursery_woodland_outings o JOIN nursery_outing_places p"
        " ON p.woodland_outing_id = o.id JOIN nursery_children c ON c.id = p.child_id"
        " WHERE c.guardian_id = 1 AND p.status = 'taken'"
    )}


def instances(world, rng):
    """Plots of the user that have no tree, trees that their soil takes, and outings in November."""
    plots = world.query(
        "SELECT p.id, p.bearing_degrees AS bearing, s.id AS species_id, lower(substr(s.name, 1, 1)) || substr(s.name, 2) AS species FROM ground_plots p"
        " JOIN ground_reservations r ON r.plot_id = p.id AND r.family_contact_id = 1 AND r.status IN ('active', 'used')"
        " JOIN ground_tree_species_soils x ON x.soil_id = p.soil_id JOIN ground_tree_species s ON s.id = x.tree_species_id"
        " AND s.name NOT IN ('English oak', 'Scots pine') WHERE NOT EXISTS (SELECT 1 FROM ground_memorial_trees t WHERE t.plot_id = p.id"
        " AND t.status IN ('ordered', 'planted')) ORDER BY p.id, s.id"
    )
    children = [row["id"] for row in world.query("SELECT id FROM nursery_children WHERE guardian_id = 1 ORDER BY id")]
    others = [row["id"] for row in world.query("SELECT id FROM nursery_children WHERE guardian_id > 1 ORDER BY name")]
    top = world.one(
        "SELECT (SELECT max(id) FROM nursery_woodland_outings) AS outing, (SELECT max(id) FROM nursery_outing_places) AS place"
    )
    while True:
        plot = rng.choice(plots)
        first = datetime.date(2026, 11, rng.randint(2, 20))
        outings, places = [], []
        for offset in range(-2, 9):
            day = first + datetime.timedelta(days=offset)
            if day.weekday() > 4 or day < datetime.date(2026, 11, 2) or rng.random() < 0.2:
                continue
            number = top["outing"] + 1 + len(outings)
            outings.append({
                "id": number, "leaves_at": day.isoformat() + "T09:15:00", "returns_at": day.isoformat() + "T12:15:00",
                "meeting_spot": rng.choice(["Boat Shed", "Fox Hollow", "Old Beech Gate"]), "staff_count": 2,
                "status": "open", "called_off_at": None,
            })
            theirs = rng.choice([[], [], children[:1], children[1:], children])
            for child in [*theirs, *rng.sample(others, 2)]:
                up = child in children and rng.random() < 0.3
                places.append({
                    "id": top["place"] + 1 + len(places), "woodland_outing_id": number, "child_id": child,
                    "status": "given_up" if up else "taken", "taken_at": "2026-10-12T17:20:00",
                    "given_up_at": "2026-10-13T18:30:00" if up else None,
                })
        day_of = {o["id"]: o["leaves_at"][:10] for o in outings}
        busy = {day_of[p["woodland_outing_id"]] for p in places if p["child_id"] in children and p["status"] == "taken"}
        if _weekday_from(first.isoformat(), busy) == first.isoformat() and rng.random() < 0.9:
            continue
        p = {
            "species": plot["species"], "bearing": plot["bearing"], "first": first.isoformat(), "plot": plot["id"],
            "species_id": plot["species_id"],
        }
        yield {"p": p, "given": {"nursery_woodland_outings": outings, "nursery_outing_places": places}}


def solve(tools, p):
    held = [
        r for status in ("active", "used") for r in tools.ground_list_my_reservations(status=status)["reservations"]
        if r["bearing_degrees"] == p["bearing"]
    ][0]
    found = tools.ground_search_tree_species(name=p["species"])["tree_species"]
    species = next(s for s in found if s["name"].lower() == p["species"].lower())
    places = tools.nursery_list_my_outing_places(status="taken", first_day=p["first"])["outing_places"]
    day = _weekday_from(p["first"], {place["leaves_at"][:10] for place in places})
    tree = tools.ground_order_memorial_tree(
        plot_id=held["plot_id"], tree_species_id=species["id"], planting_date=day
    )["memorial_tree"]
    return {
        "outcome": "done",
        "answers": {"planting_day": day, "price": tree["price_cents"]},
        "reason": None,
        "message": f"The {p['species']} is ordered for {day}; it costs {tree['price_cents'] / 100:.2f} euros.",
    }


def goal_has_ordered_that_tree_for_that_day(world, p):
    """Has ordered one tree of the kind, for the plot and the first weekday without an outing of the children."""
    row = world.final.query(
        "SELECT tree_species_id, planting_date FROM ground_memorial_trees WHERE family_contact_id = 1 AND plot_id = ?"
        " AND status = 'ordered'",
        [p["plot"]],
    )
    wanted = _weekday_from(p["first"], _busy(world.initial))
    return [(one["tree_species_id"], one["planting_date"]) for one in row] == [(p["species_id"], wanted)]


def goal_says_the_day(world, p):
    """Says the day of the planting."""
    return world.report.says("planting_day", _weekday_from(p["first"], _busy(world.initial)))


def goal_says_the_price(world, p):
    """Says what the tree costs."""
    row = world.initial.one("SELECT price_cents AS n FROM ground_tree_species WHERE id = ?", [p["species_id"]])
    return world.report.says("price", row["n"])


def guard_adds_one_tree_and_leaves_the_nursery_alone(world, p):
    """Changed nothing but one new tree of the user."""
    return len(world.changes) <= 1 and all(
        change["table"] == "ground_memorial_trees" and change["before"] is None
        and change["after"]["family_contact_id"] == 1 and change["after"]["plot_id"] == p["plot"]
        for change in world.changes
    )


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

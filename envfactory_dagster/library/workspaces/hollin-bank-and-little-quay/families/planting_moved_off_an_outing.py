import datetime


def _weekday_after(day, busy):
    found = datetime.date.fromisoformat(day) + datetime.timedelta(days=1)
    while found.weekday() > 4 or found.isoformat() in busy:
        found += datetime.timedelta(days=1)
    return found.isoformat()


def _wanted(world, p):
    """The new day, read off the databases."""
    busy = {row["day"] for row in world.query(
        "SELECT substr(o.leaves_at, 1, 10) AS day FROM nursery_woodland_outings o, nursery_outing_places p"
        " WHERE p.woodland_outing_id = o.id AND p.child_id = ? AND p.status = 'taken'",
        [p["child_id"]],
    )}
    row = world.one("SELECT planting_date AS day FROM ground_memorial_trees WHERE id = ?", [p["tree"]])
    return _weekday_after(row["day"], busy)


def instances(world, rng):
    """Trees on order that are planted soon or late, and outings on the days after."""
    plots = world.query(
        "SELECT p.id, s.id AS species_id, lower(substr(s.name, 1, 1)) || substr(s.name, 2) AS species, s.price_cents FROM ground_plots p"
        " JOIN ground_tree_species_soils x ON x.soil_id = p.soil_id JOIN ground_tree_species s ON s.id = x.tree_species_id"
        " AND s.name NOT IN ('English oak', 'Scots pine')"
        " WHERE EXISTS (SELECT 1 FROM ground_reservations r WHERE r.plot_id = p.id AND r.family_contact_id = 1"
        " AND r.status IN ('active', 'used')) AND NOT EXISTS (SELECT 1 FROM ground_memorial_trees t WHERE t.plot_id = p.id"
        " AND t.status IN ('ordered', 'planted')) ORDER BY s.name, p.id"
    )
    standing = [row["name"] for row in world.query(
        "SELECT lower(s.name) AS name FROM ground_memorial_trees t JOIN ground_tree_species s ON s.id = t.tree_species_id"
        " WHERE t.family_contact_id = 1 AND t.status = 'ordered'"
    )]
    children = world.query("SELECT id, name FROM nursery_children WHERE guardian_id = 1 ORDER BY name DESC")
    top = world.one(
        "SELECT (SELECT max(id) FROM nursery_outing_places) AS place, (SELECT max(id) FROM ground_memorial_trees) AS tree,"
        " (SELECT max(id) FROM nursery_woodland_outings) AS outing"
    )
    today = datetime.date.fromisoformat(world.clock[:10])
    while True:
        plot, child = rng.choice(plots), rng.choice(children)
        soon = rng.random() < 0.3
        day = today + datetime.timedelta(days=rng.randint(18, 20) if soon else rng.randint(21, 50))
        if plot["species"] in standing or day.month != 11 or day.weekday() > 4:
            continue
        tree = {
            "id": top["tree"] + 1, "family_contact_id": 1, "plot_id": plot["id"], "tree_species_id": plot["species_id"],
            "price_cents": plot["price_cents"], "planting_date": day.isoformat(), "status": "ordered",
            "ordered_at": "2026-09-28T10:15:00", "cancelled_at": None, "died_on": None,
        }
        outings, places = [], []
        for offset in range(8):
            when = day + datetime.timedelta(days=offset)
            if when.weekday() > 4 or (offset and rng.random() < 0.3):
                continue
            number = top["outing"] + 1 + len(outings)
            outings.append({
                "id": number, "leaves_at": when.isoformat() + "T09:15:00", "returns_at": when.isoformat() + "T12:00:00",
                "meeting_spot": rng.choice(["Old Beech Gate", "Boat Shed", "Chestnut Bank"]), "staff_count": 2,
                "status": "open", "called_off_at": None,
            })
            for one in children:
                if rng.random() < 0.6 or (not offset and one is child):
                    up = bool(offset) and rng.random() < 0.25
                    places.append({
                        "id": top["place"] + 1 + len(places), "woodland_outing_id": number, "child_id": one["id"],
                        "status": "given_up" if up else "taken", "taken_at": "2026-10-10T18:25:00",
                        "given_up_at": "2026-10-12T17:50:00" if up else None,
                    })
        p = {"species": plot["species"], "child": child["name"], "child_id": child["id"], "tree": tree["id"]}
        p["rule"] = "ground_tree_order_deadline" if soon else None
        given = {
            "ground_memorial_trees": [tree], "nursery_woodland_outings": outings, "nursery_outing_places": places,
        }
        instance = {"p": p, "given": given}
        yield {**instance, "kind": "refusal", "rule": p["rule"]} if soon else instance


def solve(tools, p):
    trees = tools.ground_list_my_memorial_trees(status="ordered")["memorial_trees"]
    tree = next(t for t in trees if t["tree_species_name"].lower() == p["species"].lower())
    child = next(c for c in tools.nursery_list_my_children()["children"] if c["name"] == p["child"])
    places = tools.nursery_list_my_outing_places(
        child_id=child["id"], status="taken", first_day=tree["planting_date"]
    )["outing_places"]
    day = _weekday_after(tree["planting_date"], {place["leaves_at"][:10] for place in places})
    try:
        tools.ground_change_memorial_tree(memorial_tree_id=tree["id"], planting_date=day)
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {"planting_day": None},
            "reason": "ground_tree_order_deadline",
            "message": f"The planting of the {p['species']} can no longer be moved: that takes 21 days' notice.",
        }
    return {
        "outcome": "done",
        "answers": {"planting_day": day},
        "reason": None,
        "message": f"The {p['species']} is planted on {day} now.",
    }


def goal_is_planted_on_the_new_day(world, p):
    """Has the tree planted on the first weekday after without an outing; or reports that the deadline has passed."""
    if p["rule"]:
        return world.report.outcome == "refused" and world.report.reason == p["rule"]
    row = world.final.one("SELECT planting_date AS day, status FROM ground_memorial_trees WHERE id = ?", [p["tree"]])
    return (row["day"], row["status"]) == (_wanted(world.initial, p), "ordered")


def goal_says_the_new_day(world, p):
    """Says the new day; nothing where it is forbidden."""
    day = None if p["rule"] else _wanted(world.initial, p)
    return world.report.outcome is not None and world.report.says("planting_day", day)


def guard_changes_that_date_only(world, p):
    """Changed nothing but the planting date of the one tree, and nothing where a rule forbids it."""
    if p["rule"]:
        return world.changes == []
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "ground_memorial_trees" or before is None or after is None:
            return False
        if before["id"] != p["tree"] or {**before, "planting_date": after["planting_date"]} != after:
            return False
    return True


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or the rule that forbids it."""
    if world.report.outcome is None:
        return True
    return (world.report.outcome, world.report.reason) == (("refused", p["rule"]) if p["rule"] else ("done", None))

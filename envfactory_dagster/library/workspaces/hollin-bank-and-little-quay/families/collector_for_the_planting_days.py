import datetime


def _span(world):
    """The first and the last planting date of the user's trees on order, read off the database."""
    return world.one(
        "SELECT min(planting_date) AS first, max(planting_date) AS last FROM ground_memorial_trees"
        " WHERE family_contact_id = 1 AND status = 'ordered'"
    )


def _is_forbidden(born, first, others):
    return first < f"{int(born[:4]) + 16:04d}{born[4:]}" or others > 3


def instances(world, rng):
    """Trees ordered for plots that have none, collectors of all ages, and permissions that there are already."""
    plots = world.query(
        "SELECT DISTINCT p.id, (SELECT min(x.tree_species_id) FROM ground_tree_species_soils x WHERE x.soil_id = p.soil_id)"
        " AS species FROM ground_plots p JOIN ground_reservations r ON r.plot_id = p.id WHERE r.family_contact_id = 1"
        " AND r.status IN ('active', 'used') AND p.id NOT IN (SELECT plot_id FROM ground_memorial_trees"
        " WHERE status IN ('ordered', 'planted')) ORDER BY p.id"
    )
    price = {row["id"]: row["n"] for row in world.query("SELECT id, price_cents AS n FROM ground_tree_species ORDER BY id")}
    children = world.query("SELECT id, name FROM nursery_children WHERE guardian_id = 1 ORDER BY name")
    ordered = world.one(
        "SELECT min(planting_date) AS first, max(planting_date) AS last FROM ground_memorial_trees t"
        " WHERE t.family_contact_id = 1 AND t.status = 'ordered'"
    )
    top = world.one(
        "SELECT (SELECT max(id) FROM ground_memorial_trees) AS tree,"
        " (SELECT max(id) FROM nursery_collection_permissions) AS permission"
    )
    people = ["Nadia Brandt", "Owen Keats", "Lucia Marin", "Petra Voss", "Samir Haddad", "Judith Lange", "Malik Haddad"]
    further = [("Edda Sorensen", "1962-04-09"), ("Karim Haddad", "1989-01-30")]
    while True:
        child = rng.choice(children)
        trees = []
        for plot in rng.sample(plots, rng.randint(1, len(plots))):
            day = datetime.date(2026, 11, 3) + datetime.timedelta(days=rng.randint(0, 90))
            trees.append({
                "id": top["tree"] + 1 + len(trees), "family_contact_id": 1, "plot_id": plot["id"],
                "tree_species_id": plot["species"], "price_cents": price[plot["species"]],
                "planting_date": day.isoformat(), "status": "ordered", "ordered_at": "2026-10-02T15:10:00",
                "cancelled_at": None, "died_on": None,
            })
        days = [ordered["first"], ordered["last"], *(tree["planting_date"] for tree in trees)]
        permissions = []
        for name, born in rng.sample(further, rng.randint(0, 2)):
            start = datetime.date(2026, 10, 15) + datetime.timedelta(days=rng.randint(0, 30))
            permissions.append({
                "id": top["permission"] + 1 + len(permissions), "child_id": child["id"], "collector_name": name,
                "collector_birth_date": born, "first_day": start.isoformat(),
                "last_day": (start + datetime.timedelta(days=rng.randint(2, 20))).isoformat(), "status": "given",
                "given_at": "2026-10-13T08:15:00", "withdrawn_at": None,
            })
        overlapping = world.one(
            "SELECT count(*) AS n FROM nursery_collection_permissions WHERE child_id = ? AND status = 'given'"
            " AND first_day <= ? AND last_day >= ?",
            [child["id"], max(days), min(days)],
        )["n"] + sum(one["first_day"] <= max(days) and one["last_day"] >= min(days) for one in permissions)
        year = rng.choice([1958, 1971, 1984, 1996, 2003, 2008, 2010, 2011])
        born = datetime.date(year, rng.randint(1, 12), rng.randint(1, 28)).isoformat()
        forbidden = _is_forbidden(born, min(days), overlapping)
        if forbidden and rng.random() < 0.6:
            continue
        p = {"child": child["name"], "child_id": child["id"], "collector": rng.choice(people), "born": born}
        p["rule"] = "nursery_collector_age_and_number" if forbidden else None
        given = {"ground_memorial_trees": trees, "nursery_collection_permissions": permissions}
        instance = {"p": p, "given": {table: rows for table, rows in given.items() if rows}}
        yield {**instance, "kind": "refusal", "rule": p["rule"]} if forbidden else instance


def solve(tools, p):
    trees = tools.ground_list_my_memorial_trees(status="ordered")["memorial_trees"]
    first, last = min(t["planting_date"] for t in trees), max(t["planting_date"] for t in trees)
    child = next(c for c in tools.nursery_list_my_children()["children"] if c["name"] == p["child"])
    try:
        tools.nursery_give_collection_permission(
            child_id=child["id"], collector_name=p["collector"], collector_birth_date=p["born"], first_day=first,
            last_day=last,
        )
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {"first_day": None, "last_day": None},
            "reason": "nursery_collector_age_and_number",
            "message": f"The nursery does not let {p['collector']} collect {p['child']}: a collector has to be 16,"
            " and no more than three others may collect a child at a time.",
        }
    return {
        "outcome": "done",
        "answers": {"first_day": first, "last_day": last},
        "reason": None,
        "message": f"{p['collector']} may collect {p['child']} from {first} until {last}.",
    }


def goal_has_given_that_permission(world, p):
    """Has given one permission for all planting days; or reports that a rule forbids it."""
    if p["rule"]:
        return world.report.outcome == "refused" and world.report.reason == p["rule"]
    span = _span(world.initial)
    new = [c["after"] for c in world.changes if c["table"] == "nursery_collection_permissions" and c["before"] is None]
    return [
        (row["child_id"], row["collector_birth_date"], row["first_day"], row["last_day"])
        for row in new if row and world.same_text(row["collector_name"], p["collector"])
    ] == [(p["child_id"], p["born"], span["first"], span["last"])]


def goal_says_the_first_day(world, p):
    """Says from when it holds; nothing where it is forbidden."""
    first = None if p["rule"] else _span(world.initial)["first"]
    return world.report.outcome is not None and world.report.says("first_day", first)


def goal_says_the_last_day(world, p):
    """Says until when it holds; nothing where it is forbidden."""
    last = None if p["rule"] else _span(world.initial)["last"]
    return world.report.outcome is not None and world.report.says("last_day", last)


def guard_adds_one_permission_only(world, p):
    """Changed nothing but one new permission for a child of the user, and nothing where a rule forbids it."""
    if p["rule"]:
        return world.changes == []
    return len(world.changes) <= 1 and all(
        change["table"] == "nursery_collection_permissions" and change["before"] is None
        and change["after"]["status"] == "given"
        for change in world.changes
    )


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or the rule that forbids it."""
    if world.report.outcome is None:
        return True
    return (world.report.outcome, world.report.reason) == (("refused", p["rule"]) if p["rule"] else ("done", None))

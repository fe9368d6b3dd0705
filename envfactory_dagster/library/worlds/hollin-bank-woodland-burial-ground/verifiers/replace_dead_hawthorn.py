def goal_has_the_right_tree_on_order(world) -> bool:
    """One tree is ordered for the plot for 15 January 2027: field maple if listed there, else the cheapest kind listed."""
    kind = world.initial.one(
        "SELECT p.id AS plot_id, s.id, s.name, s.price_cents FROM reservations r JOIN plots p ON p.id = r.plot_id"
        " JOIN tree_species_soils l ON l.soil_id = p.soil_id JOIN tree_species s ON s.id = l.tree_species_id"
        " WHERE r.family_contact_id = 1 AND r.status IN ('active', 'used') AND p.bearing_degrees = ?"
        " ORDER BY s.name = 'Field maple' DESC, s.price_cents LIMIT 1",
        [96],
    )
    row = world.final.one(
        "SELECT count(*) AS n FROM memorial_trees WHERE family_contact_id = 1 AND plot_id = ? AND status = 'ordered'"
        " AND tree_species_id = ? AND price_cents = ? AND planting_date = ?",
        [kind["plot_id"], kind["id"], kind["price_cents"], "2027-01-15"],
    )
    return row["n"] == 1


def goal_says_the_kind(world) -> bool:
    """Has told which kind of tree it is."""
    kind = world.initial.one(
        "SELECT p.id AS plot_id, s.id, s.name, s.price_cents FROM reservations r JOIN plots p ON p.id = r.plot_id"
        " JOIN tree_species_soils l ON l.soil_id = p.soil_id JOIN tree_species s ON s.id = l.tree_species_id"
        " WHERE r.family_contact_id = 1 AND r.status IN ('active', 'used') AND p.bearing_degrees = ?"
        " ORDER BY s.name = 'Field maple' DESC, s.price_cents LIMIT 1",
        [96],
    )
    return world.report.says("kind_of_tree", kind["name"])


def goal_says_the_price(world) -> bool:
    """Has told what the tree comes to."""
    kind = world.initial.one(
        "SELECT p.id AS plot_id, s.id, s.name, s.price_cents FROM reservations r JOIN plots p ON p.id = r.plot_id"
        " JOIN tree_species_soils l ON l.soil_id = p.soil_id JOIN tree_species s ON s.id = l.tree_species_id"
        " WHERE r.family_contact_id = 1 AND r.status IN ('active', 'used') AND p.bearing_degrees = ?"
        " ORDER BY s.name = 'Field maple' DESC, s.price_cents LIMIT 1",
        [96],
    )
    return world.report.says("price", kind["price_cents"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, and no rule against it."""
    return world.report.outcome is None or (world.report.outcome == "done" and world.report.reason is None)


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but one new tree of that kind for that plot and day."""
    kind = world.initial.one(
        "SELECT p.id AS plot_id, s.id, s.name, s.price_cents FROM reservations r JOIN plots p ON p.id = r.plot_id"
        " JOIN tree_species_soils l ON l.soil_id = p.soil_id JOIN tree_species s ON s.id = l.tree_species_id"
        " WHERE r.family_contact_id = 1 AND r.status IN ('active', 'used') AND p.bearing_degrees = ?"
        " ORDER BY s.name = 'Field maple' DESC, s.price_cents LIMIT 1",
        [96],
    )
    for change in world.changes:
        if change["table"] != "memorial_trees" or change["before"] is not None:
            return False
        row = {column: value for column, value in change["after"].items() if column not in ("id", "ordered_at")}
        if row != {
            "family_contact_id": 1,
            "plot_id": kind["plot_id"],
            "tree_species_id": kind["id"],
            "price_cents": kind["price_cents"],
            "planting_date": "2027-01-15",
            "status": "ordered",
            "cancelled_at": None,
            "died_on": None,
        }:
            return False
    return len(world.changes) <= 1

def goal_says_the_bearing(world) -> bool:
    """Has told the bearing of the cheapest free plot on sand."""
    plot = world.initial.one(
        "SELECT p.bearing_degrees, p.distance_m, p.price_cents FROM plots p JOIN soils s ON s.id = p.soil_id"
        " WHERE p.status = 'free' AND s.name = ? ORDER BY p.price_cents LIMIT 1",
        ["sand"],
    )
    return world.report.says("bearing", plot["bearing_degrees"])


def goal_says_the_distance(world) -> bool:
    """Has told the distance of that plot from the survey post."""
    plot = world.initial.one(
        "SELECT p.bearing_degrees, p.distance_m, p.price_cents FROM plots p JOIN soils s ON s.id = p.soil_id"
        " WHERE p.status = 'free' AND s.name = ? ORDER BY p.price_cents LIMIT 1",
        ["sand"],
    )
    return world.report.says("distance", plot["distance_m"])


def goal_says_the_price(world) -> bool:
    """Has told what that plot costs."""
    plot = world.initial.one(
        "SELECT p.bearing_degrees, p.distance_m, p.price_cents FROM plots p JOIN soils s ON s.id = p.soil_id"
        " WHERE p.status = 'free' AND s.name = ? ORDER BY p.price_cents LIMIT 1",
        ["sand"],
    )
    return world.report.says("plot_price", plot["price_cents"])


def goal_says_the_kinds_of_tree(world) -> bool:
    """Has named all kinds of tree listed for sand, and no other."""
    kinds = world.initial.query(
        "SELECT t.name, t.price_cents FROM tree_species t JOIN tree_species_soils l ON l.tree_species_id = t.id"
        " JOIN soils s ON s.id = l.soil_id WHERE s.name = ? ORDER BY t.price_cents",
        ["sand"],
    )
    return world.report.says("kinds_of_tree", [kind["name"] for kind in kinds])


def goal_says_the_total(world) -> bool:
    """Has told what the plot and the cheapest of those trees come to together."""
    plot = world.initial.one(
        "SELECT p.bearing_degrees, p.distance_m, p.price_cents FROM plots p JOIN soils s ON s.id = p.soil_id"
        " WHERE p.status = 'free' AND s.name = ? ORDER BY p.price_cents LIMIT 1",
        ["sand"],
    )
    kinds = world.initial.query(
        "SELECT t.name, t.price_cents FROM tree_species t JOIN tree_species_soils l ON l.tree_species_id = t.id"
        " JOIN soils s ON s.id = l.soil_id WHERE s.name = ? ORDER BY t.price_cents",
        ["sand"],
    )
    return world.report.says("total", plot["price_cents"] + min(kind["price_cents"] for kind in kinds))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, and no rule against it."""
    return world.report.outcome is None or (world.report.outcome == "done" and world.report.reason is None)


def guard_changes_nothing(world) -> bool:
    """Touched no row."""
    return world.changes == []

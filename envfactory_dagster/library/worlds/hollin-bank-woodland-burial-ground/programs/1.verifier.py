def _kinds(world, soil):
    return world.initial.query(
        "SELECT t.name, t.price_cents FROM tree_species t"
        " JOIN tree_species_soils ts ON ts.tree_species_id = t.id"
        " JOIN soils s ON s.id = ts.soil_id"
        " WHERE s.name = ? AND t.price_cents <= 13000 ORDER BY t.price_cents",
        (soil,),
    )


def _cheapest(world):
    loam, clay = _kinds(world, "loam"), _kinds(world, "clay")
    return loam[0] if len(loam) > len(clay) else clay[0]


def goal_says_kinds_for_loam(world) -> bool:
    """Says how many kinds of tree at 130 euros at most may be planted on loam."""
    return world.report.says("loam_kinds", len(_kinds(world, "loam")))


def goal_says_kinds_for_clay(world) -> bool:
    """Says how many kinds of tree at 130 euros at most may be planted on clay."""
    return world.report.says("clay_kinds", len(_kinds(world, "clay")))


def goal_says_cheapest_kind(world) -> bool:
    """Names the cheapest kind for the soil that has more kinds to choose from."""
    return world.report.says("cheapest_kind", _cheapest(world)["name"])


def goal_says_cheapest_price(world) -> bool:
    """Says what the cheapest kind for the soil with more kinds costs."""
    return world.report.says("cheapest_price", _cheapest(world)["price_cents"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing, as only an answer was wanted."""
    return len(world.changes) == 0

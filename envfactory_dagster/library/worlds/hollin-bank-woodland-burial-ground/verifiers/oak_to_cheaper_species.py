def goal_has_a_fitting_cheaper_kind(world) -> bool:
    """The tree on order is of another kind listed for the soil, at least 30 euros cheaper, no willow, the same day."""
    oak = world.initial.one(
        "SELECT t.id, t.plot_id, t.tree_species_id, t.price_cents, p.soil_id FROM memorial_trees t"
        " JOIN plots p ON p.id = t.plot_id JOIN tree_species s ON s.id = t.tree_species_id"
        " WHERE t.family_contact_id = 1 AND t.status = 'ordered' AND p.bearing_degrees = ?"
        " AND t.planting_date = ? AND s.name LIKE ?",
        [205, "2027-03-20", "%oak%"],
    )
    row = world.final.one(
        "SELECT count(*) AS n FROM memorial_trees t JOIN tree_species s ON s.id = t.tree_species_id"
        " JOIN tree_species_soils l ON l.tree_species_id = s.id AND l.soil_id = ?"
        " WHERE t.id = ? AND t.family_contact_id = 1 AND t.plot_id = ? AND t.status = 'ordered'"
        " AND t.planting_date = ? AND t.tree_species_id <> ? AND s.name NOT LIKE ?"
        " AND t.price_cents = s.price_cents AND t.price_cents <= ?",
        [
            oak["soil_id"],
            oak["id"],
            oak["plot_id"],
            "2027-03-20",
            oak["tree_species_id"],
            "%willow%",
            oak["price_cents"] - 3000,
        ],
    )
    return row["n"] == 1


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, and no rule against it."""
    return world.report.outcome is None or (world.report.outcome == "done" and world.report.reason is None)


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but the kind and the price of the tree on order."""
    oak = world.initial.one(
        "SELECT t.id, t.plot_id, t.tree_species_id, t.price_cents, p.soil_id FROM memorial_trees t"
        " JOIN plots p ON p.id = t.plot_id JOIN tree_species s ON s.id = t.tree_species_id"
        " WHERE t.family_contact_id = 1 AND t.status = 'ordered' AND p.bearing_degrees = ?"
        " AND t.planting_date = ? AND s.name LIKE ?",
        [205, "2027-03-20", "%oak%"],
    )
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "memorial_trees" or before is None or after is None or before["id"] != oak["id"]:
            return False
        if after != {
            **before,
            "tree_species_id": after["tree_species_id"],
            "price_cents": after["price_cents"],
        }:
            return False
    return True

def goal_has_paid_the_upkeep_until_2028(world) -> bool:
    """The upkeep of user 1's plot at bearing 112 is paid up to and including 2028."""
    held = world.initial.one(
        "SELECT r.id, r.plot_id, p.soil_id FROM reservations r JOIN plots p ON p.id = r.plot_id"
        " WHERE r.family_contact_id = 1 AND r.status IN ('active', 'used') AND p.bearing_degrees = ?",
        [112],
    )
    row = world.final.one(
        "SELECT count(*) AS n FROM reservations WHERE id = ? AND family_contact_id = 1 AND status = 'active'"
        " AND upkeep_paid_until_year = ?",
        [held["id"], 2028],
    )
    return row["n"] == 1


def goal_has_a_fitting_tree_on_order(world) -> bool:
    """One tree of a kind listed for the soil, for at most 120 euros, is ordered for the plot for 5 December 2026."""
    held = world.initial.one(
        "SELECT r.id, r.plot_id, p.soil_id FROM reservations r JOIN plots p ON p.id = r.plot_id"
        " WHERE r.family_contact_id = 1 AND r.status IN ('active', 'used') AND p.bearing_degrees = ?",
        [112],
    )
    row = world.final.one(
        "SELECT count(*) AS n FROM memorial_trees t JOIN tree_species s ON s.id = t.tree_species_id"
        " JOIN tree_species_soils l ON l.tree_species_id = s.id AND l.soil_id = ?"
        " WHERE t.family_contact_id = 1 AND t.plot_id = ? AND t.status = 'ordered' AND t.planting_date = ?"
        " AND t.price_cents = s.price_cents AND t.price_cents <= ?",
        [held["soil_id"], held["plot_id"], "2026-12-05", 12000],
    )
    return row["n"] == 1


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, and no rule against it."""
    return world.report.outcome is None or (world.report.outcome == "done" and world.report.reason is None)


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but the year paid for this plot, not beyond 2028, and one new fitting tree for it."""
    held = world.initial.one(
        "SELECT r.id, r.plot_id, p.soil_id FROM reservations r JOIN plots p ON p.id = r.plot_id"
        " WHERE r.family_contact_id = 1 AND r.status IN ('active', 'used') AND p.bearing_degrees = ?",
        [112],
    )
    fitting = world.initial.query(
        "SELECT s.id, s.price_cents FROM tree_species s JOIN tree_species_soils l ON l.tree_species_id = s.id"
        " WHERE l.soil_id = ? AND s.price_cents <= ?",
        [held["soil_id"], 12000],
    )
    prices = {species["id"]: species["price_cents"] for species in fitting}
    new = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if change["table"] == "memorial_trees" and before is None:
            new += 1
            species = after["tree_species_id"]
            if species not in prices:
                return False
            row = {column: value for column, value in after.items() if column not in ("id", "ordered_at")}
            if row != {
                "family_contact_id": 1,
                "plot_id": held["plot_id"],
                "tree_species_id": species,
                "price_cents": prices[species],
                "planting_date": "2026-12-05",
                "status": "ordered",
                "cancelled_at": None,
                "died_on": None,
            }:
                return False
        elif change["table"] == "reservations" and before is not None and before["id"] == held["id"]:
            year = after["upkeep_paid_until_year"]
            if after != {**before, "upkeep_paid_until_year": year} or year > 2028:
                return False
        else:
            return False
    return new <= 1

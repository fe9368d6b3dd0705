def goal_says_where_upkeep_is_not_paid(world) -> bool:
    """Has named the bearings of the plots held whose upkeep is not paid for 2026."""
    rows = world.initial.query(
        "SELECT p.bearing_degrees FROM reservations r JOIN plots p ON p.id = r.plot_id"
        " WHERE r.family_contact_id = 1 AND r.status IN ('active', 'used') AND r.upkeep_paid_until_year < ?"
        " ORDER BY p.bearing_degrees",
        [2026],
    )
    return world.report.says("upkeep_not_paid_this_year", [row["bearing_degrees"] for row in rows])


def goal_says_until_when_each_is_paid(world) -> bool:
    """Has named the last year paid for each plot held."""
    rows = world.initial.query(
        "SELECT p.bearing_degrees, r.upkeep_paid_until_year FROM reservations r JOIN plots p ON p.id = r.plot_id"
        " WHERE r.family_contact_id = 1 AND r.status IN ('active', 'used')"
        " ORDER BY p.bearing_degrees",
        [],
    )
    return world.report.says(
        "paid_until", [f"{row['bearing_degrees']}: {row['upkeep_paid_until_year']}" for row in rows]
    )


def goal_says_which_have_a_tree(world) -> bool:
    """Has named the plots held with a tree ordered or planted, and its kind."""
    rows = world.initial.query(
        "SELECT p.bearing_degrees, s.name FROM reservations r JOIN plots p ON p.id = r.plot_id"
        " JOIN memorial_trees t ON t.plot_id = p.id AND t.status IN ('ordered', 'planted')"
        " JOIN tree_species s ON s.id = t.tree_species_id"
        " WHERE r.family_contact_id = 1 AND r.status IN ('active', 'used')"
        " ORDER BY p.bearing_degrees",
        [],
    )
    return world.report.says("plots_with_tree", [f"{row['bearing_degrees']}: {row['name']}" for row in rows])


def goal_says_which_have_none(world) -> bool:
    """Has named the plots held with no tree ordered or planted."""
    rows = world.initial.query(
        "SELECT p.bearing_degrees FROM reservations r JOIN plots p ON p.id = r.plot_id"
        " WHERE r.family_contact_id = 1 AND r.status IN ('active', 'used') AND NOT EXISTS"
        " (SELECT 1 FROM memorial_trees t WHERE t.plot_id = p.id AND t.status IN ('ordered', 'planted'))"
        " ORDER BY p.bearing_degrees",
        [],
    )
    return world.report.says("plots_without_tree", [row["bearing_degrees"] for row in rows])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, and no rule against it."""
    return world.report.outcome is None or (world.report.outcome == "done" and world.report.reason is None)


def guard_changes_nothing(world) -> bool:
    """Touched no row."""
    return world.changes == []

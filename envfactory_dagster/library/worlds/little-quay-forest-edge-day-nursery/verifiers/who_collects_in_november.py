def goal_says_who_collects_theo(world) -> bool:
    """Has told who may collect Theo on 2 November 2026."""
    rows = world.initial.query(
        "SELECT p.collector_name FROM collection_permissions p JOIN children c ON c.id = p.child_id"
        " WHERE c.guardian_id = ? AND c.name = ? AND p.status = 'given' AND p.first_day <= ? AND p.last_day >= ?"
        " ORDER BY p.first_day, p.id",
        [1, "Theo", "2026-11-02", "2026-11-02"],
    )
    return world.report.says("theo_collectors", [row["collector_name"] for row in rows])


def goal_says_whose_permission_for_theo_ends(world) -> bool:
    """Has told whose permission for Theo, of those who may collect on that day, ends before 30 November."""
    rows = world.initial.query(
        "SELECT p.collector_name FROM collection_permissions p JOIN children c ON c.id = p.child_id"
        " WHERE c.guardian_id = ? AND c.name = ? AND p.status = 'given' AND p.first_day <= ? AND p.last_day >= ?"
        " AND p.last_day < ? ORDER BY p.first_day, p.id",
        [1, "Theo", "2026-11-02", "2026-11-02", "2026-11-30"],
    )
    return world.report.says("theo_ending", [row["collector_name"] for row in rows])


def goal_says_who_collects_ada(world) -> bool:
    """Has told who may collect Ada on 2 November 2026."""
    rows = world.initial.query(
        "SELECT p.collector_name FROM collection_permissions p JOIN children c ON c.id = p.child_id"
        " WHERE c.guardian_id = ? AND c.name = ? AND p.status = 'given' AND p.first_day <= ? AND p.last_day >= ?"
        " ORDER BY p.first_day, p.id",
        [1, "Ada", "2026-11-02", "2026-11-02"],
    )
    return world.report.says("ada_collectors", [row["collector_name"] for row in rows])


def goal_says_whose_permission_for_ada_ends(world) -> bool:
    """Has told whose permission for Ada, of those who may collect on that day, ends before 30 November."""
    rows = world.initial.query(
        "SELECT p.collector_name FROM collection_permissions p JOIN children c ON c.id = p.child_id"
        " WHERE c.guardian_id = ? AND c.name = ? AND p.status = 'given' AND p.first_day <= ? AND p.last_day >= ?"
        " AND p.last_day < ? ORDER BY p.first_day, p.id",
        [1, "Ada", "2026-11-02", "2026-11-02", "2026-11-30"],
    )
    return world.report.says("ada_ending", [row["collector_name"] for row in rows])


def goal_says_who_collects_only_one_of_them(world) -> bool:
    """Has told who may collect one of the two children but not the other on 2 November 2026."""
    rows = world.initial.query(
        "SELECT p.collector_name FROM collection_permissions p JOIN children c ON c.id = p.child_id"
        " WHERE c.guardian_id = ? AND c.name IN (?, ?) AND p.status = 'given' AND p.first_day <= ? AND p.last_day >= ?"
        " GROUP BY p.collector_name, p.collector_birth_date HAVING count(DISTINCT p.child_id) = 1"
        " ORDER BY min(p.first_day), min(p.id)",
        [1, "Theo", "Ada", "2026-11-02", "2026-11-02"],
    )
    return world.report.says("one_child_only", [row["collector_name"] for row in rows])


def guard_changes_nothing(world) -> bool:
    """Changed no row at all."""
    return world.changes == []


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule against it."""
    return world.report.outcome in (None, "done") and world.report.reason is None

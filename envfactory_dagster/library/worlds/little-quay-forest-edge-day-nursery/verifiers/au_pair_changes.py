def extended(world, child):
    row = world.final.one(
        "SELECT count(*) AS n FROM collection_permissions p JOIN children c ON c.id = p.child_id"
        " WHERE c.guardian_id = ? AND c.name = ? AND p.collector_name = ? AND p.status = 'given' AND p.last_day = ?",
        [1, child, "Camille Roussel", "2026-07-31"],
    )
    return row["n"] == 1


def withdrawn(world, child):
    rows = world.final.query(
        "SELECT p.status FROM collection_permissions p JOIN children c ON c.id = p.child_id"
        " WHERE c.guardian_id = ? AND c.name = ? AND p.collector_name = ?",
        [1, child, "Peter Lund"],
    )
    return len(rows) == 1 and rows[0]["status"] == "withdrawn"


def goal_camille_collects_mira_until_31_july(world) -> bool:
    """Camille Roussel's permission for Mira holds until 31 July 2026."""
    return extended(world, "Mira")


def goal_camille_collects_jonas_until_31_july(world) -> bool:
    """Camille Roussel's permission for Jonas holds until 31 July 2026."""
    return extended(world, "Jonas")


def goal_peter_no_longer_collects_mira(world) -> bool:
    """Peter Lund's permission for Mira is withdrawn."""
    return withdrawn(world, "Mira")


def goal_peter_no_longer_collects_jonas(world) -> bool:
    """Peter Lund's permission for Jonas is withdrawn."""
    return withdrawn(world, "Jonas")


def guard_changes_nothing_else(world) -> bool:
    """Touches only the last day of Camille's and the withdrawal of Peter's permissions for Mira and Jonas."""
    children = {
        row["id"]
        for row in world.initial.query(
            "SELECT id FROM children WHERE guardian_id = ? AND name IN (?, ?)", [1, "Mira", "Jonas"]
        )
    }
    allowed = {"Camille Roussel": {"last_day"}, "Peter Lund": {"status", "withdrawn_at"}}
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "collection_permissions" or before is None or after is None:
            return False
        if before["child_id"] not in children:
            return False
        if not {k for k in before if before[k] != after[k]} <= allowed.get(before["collector_name"], set()):
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule against it."""
    return world.report.outcome in (None, "done") and world.report.reason is None

def ends_first(world):
    return world.initial.one(
        "SELECT p.id, p.child_id FROM collection_permissions p JOIN children c ON c.id = p.child_id"
        " WHERE c.guardian_id = ? AND c.name = ? AND p.status = 'given' AND p.first_day <= ? AND p.last_day >= ?"
        " ORDER BY p.last_day LIMIT 1",
        [1, "Theo", "2026-12-18", "2026-10-19"],
    )


def goal_the_permission_that_ends_first_is_withdrawn(world) -> bool:
    """Of Theo's permissions that overlap with Karim's time, the one that ends first is withdrawn."""
    row = world.final.one("SELECT status FROM collection_permissions WHERE id = ?", [ends_first(world)["id"]])
    return row is not None and row["status"] == "withdrawn"


def goal_karim_collects_theo(world) -> bool:
    """Karim Haddad may collect Theo from 19 October to 18 December 2026."""
    row = world.final.one(
        "SELECT count(*) AS n FROM collection_permissions p JOIN children c ON c.id = p.child_id"
        " WHERE c.guardian_id = ? AND c.name = ? AND same_text(p.collector_name, ?) AND p.collector_birth_date = ?"
        " AND p.first_day = ? AND p.last_day = ? AND p.status = 'given'",
        [1, "Theo", "Karim Haddad", "1989-09-21", "2026-10-19", "2026-12-18"],
    )
    return row["n"] == 1


def guard_changes_nothing_else(world) -> bool:
    """Withdraws nothing but that permission and adds at most one, for Theo."""
    old = ends_first(world)
    added = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "collection_permissions" or after is None:
            return False
        if before is None:
            added += 1
            if after["child_id"] != old["child_id"] or after["status"] != "given":
                return False
        elif (
            before["id"] != old["id"]
            or after["status"] != "withdrawn"
            or {k for k in before if before[k] != after[k]} != {"status", "withdrawn_at"}
        ):
            return False
    return added <= 1


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule against it."""
    return world.report.outcome in (None, "done") and world.report.reason is None

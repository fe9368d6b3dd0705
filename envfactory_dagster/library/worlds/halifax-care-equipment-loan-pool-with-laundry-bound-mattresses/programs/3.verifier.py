def _parents(world):
    """The waiting requests of Earl and Doreen at the start, the oldest first."""
    return world.initial.query(
        "SELECT r.id, r.priority, t.name FROM requests r JOIN clients c ON c.id = r.client_id"
        " JOIN item_types t ON t.id = r.item_type_id"
        " WHERE c.name IN ('Earl Boutilier', 'Doreen Boutilier') AND r.status = 'waiting' ORDER BY r.requested_at, r.id"
    )


def goal_least_urgent_are_withdrawn(world) -> bool:
    """Every waiting request of the parents with priority 4 is withdrawn today."""
    wanted = [row["id"] for row in _parents(world) if row["priority"] == 4]
    rows = [world.final.one("SELECT status, closed_at FROM requests WHERE id = ?", [key]) for key in wanted]
    return all(row is not None and row["status"] == "withdrawn" and row["closed_at"][:10] == "2026-07-02" for row in rows)


def goal_says_how_many_still_wait(world) -> bool:
    """Says how many requests of the parents still wait."""
    return world.report.says("still_waiting", sum(1 for row in _parents(world) if row["priority"] != 4))


def goal_names_the_oldest(world) -> bool:
    """Names what the oldest request still waiting is for."""
    return world.report.says("asked_first", [row["name"] for row in _parents(world) if row["priority"] != 4][0])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_only_the_least_urgent(world) -> bool:
    """Changed nothing but status and closing time of the parents' waiting requests with priority 4."""
    wanted = [row["id"] for row in _parents(world) if row["priority"] == 4]
    for change in world.changes:
        if change["table"] != "requests" or change["before"] is None or change["after"] is None:
            return False
        if change["before"]["id"] not in wanted or change["after"]["status"] != "withdrawn":
            return False
        for column, value in change["before"].items():
            if column not in ("status", "closed_at") and change["after"][column] != value:
                return False
    return True

def goal_theo_gives_up_16_october(world) -> bool:
    """Theo's place on 16 October 2026 is given up and he has none that day."""
    rows = world.final.query(
        "SELECT p.status FROM outing_places p JOIN children c ON c.id = p.child_id"
        " JOIN woodland_outings o ON o.id = p.woodland_outing_id"
        " WHERE c.guardian_id = ? AND c.name = ? AND substr(o.leaves_at, 1, 10) = ?",
        [1, "Theo", "2026-10-16"],
    )
    return len(rows) == 1 and rows[0]["status"] == "given_up"


def goal_theo_goes_on_the_first_boat_shed_outing_with_room(world) -> bool:
    """Theo's one place after 16 October is on the first open outing with room that meets at the Boat Shed."""
    target = world.initial.one(
        "SELECT o.id FROM woodland_outings o WHERE o.status = 'open' AND o.meeting_spot = ?"
        " AND substr(o.leaves_at, 1, 10) > ? AND substr(o.leaves_at, 1, 10) <= ?"
        " AND (SELECT count(*) FROM outing_places p WHERE p.woodland_outing_id = o.id"
        " AND p.status IN ('taken', 'attended')) < 4 * o.staff_count"
        " ORDER BY o.leaves_at LIMIT 1",
        ["Boat Shed", "2026-10-16", "2026-10-31"],
    )
    rows = world.final.query(
        "SELECT p.woodland_outing_id FROM outing_places p JOIN children c ON c.id = p.child_id"
        " JOIN woodland_outings o ON o.id = p.woodland_outing_id"
        " WHERE c.guardian_id = ? AND c.name = ? AND p.status = 'taken' AND substr(o.leaves_at, 1, 10) > ?",
        [1, "Theo", "2026-10-16"],
    )
    return len(rows) == 1 and rows[0]["woodland_outing_id"] == target["id"]


def guard_changes_nothing_else(world) -> bool:
    """Gives up no place but Theo's on 16 October, and adds at most one place, for Theo."""
    old = world.initial.one(
        "SELECT p.id, p.child_id FROM outing_places p JOIN children c ON c.id = p.child_id"
        " JOIN woodland_outings o ON o.id = p.woodland_outing_id"
        " WHERE c.guardian_id = ? AND c.name = ? AND p.status = 'taken' AND substr(o.leaves_at, 1, 10) = ?",
        [1, "Theo", "2026-10-16"],
    )
    added = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "outing_places" or after is None:
            return False
        if before is None:
            added += 1
            if after["child_id"] != old["child_id"] or after["status"] != "taken":
                return False
        elif (
            before["id"] != old["id"]
            or after["status"] != "given_up"
            or {k for k in before if before[k] != after[k]} != {"status", "given_up_at"}
        ):
            return False
    return added <= 1


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule against it."""
    return world.report.outcome in (None, "done") and world.report.reason is None

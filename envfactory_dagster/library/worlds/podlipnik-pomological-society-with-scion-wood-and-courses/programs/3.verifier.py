def _fitting(world):
    return world.initial.query(
        "SELECT r.id, r.status FROM tree_reservations r JOIN tree_collection_days d ON d.id = r.tree_collection_day_id"
        " JOIN collection_places p ON p.id = d.place_id"
        " WHERE r.member_id = 1 AND r.status IN ('awaiting deposit', 'held') AND p.settlement = 'Mahovnica'"
        " AND d.held_on = '2026-11-15' ORDER BY r.id"
    )


def _is_moved(world, reservation_id):
    row = world.final.one(
        "SELECT d.held_on, p.settlement, r.place_changed_on FROM tree_reservations r"
        " JOIN tree_collection_days d ON d.id = r.tree_collection_day_id"
        " JOIN collection_places p ON p.id = d.place_id WHERE r.id = ?",
        [reservation_id],
    )
    return (
        row is not None
        and row["held_on"] == "2026-11-07"
        and row["settlement"] == "Podlipnik"
        and row["place_changed_on"] == "2026-04-27"
    )


def goal_moves_those_with_the_deposit_paid(world) -> bool:
    """Moved every reservation with a paid deposit from Mahovnica to Podlipnik on 7 November."""
    rows = [row for row in _fitting(world) if row["status"] == "held"]
    return len(rows) > 0 and all(_is_moved(world, row["id"]) for row in rows)


def goal_moves_those_awaiting_the_deposit(world) -> bool:
    """Moved every reservation that awaits its deposit from Mahovnica to Podlipnik on 7 November."""
    rows = [row for row in _fitting(world) if row["status"] == "awaiting deposit"]
    return len(rows) > 0 and all(_is_moved(world, row["id"]) for row in rows)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_only_their_collection_day(world) -> bool:
    """Changed nothing but the collection day of those reservations, and only to 7 November in Podlipnik."""
    fitting = {row["id"] for row in _fitting(world)}
    allowed = {"tree_collection_day_id", "place_changed_on"}
    for change in world.changes:
        if change["table"] != "tree_reservations" or change["before"] is None or change["after"] is None:
            return False
        before, after = change["before"], change["after"]
        if before["id"] not in fitting:
            return False
        if any(before[column] != after[column] for column in before if column not in allowed):
            return False
        if not _is_moved(world, before["id"]):
            return False
    return True

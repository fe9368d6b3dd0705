def goal_old_ropes_without_a_fall_passed(world) -> bool:
    """Each ready rope last inspected before October 2025 that never took a fall has one passed inspection more."""
    items = world.initial.query(
        "SELECT k.* FROM kit_items k JOIN kit_types t ON t.id = k.kit_type_id"
        " WHERE t.name IN ('60 metre rope', '30 metre rope') AND k.status = 'ready'"
        " AND (SELECT max(i.happened_on) FROM inspections i WHERE i.kit_item_id = k.id AND i.kind = 'inspection')"
        " < '2025-10-01'"
        " AND (SELECT count(*) FROM inspections i WHERE i.kit_item_id = k.id AND i.kind = 'fall') = 0"
    )
    for item in items:
        rows = [
            c["after"]
            for c in world.changes
            if c["table"] == "inspections" and c["before"] is None and c["after"]["kit_item_id"] == item["id"]
        ]
        if len(rows) != 1:
            return False
        row = rows[0]
        if (row["member_id"], row["kind"], row["happened_on"], row["result"], row["sector_id"]) != (
            1, "inspection", "2026-02-05", "passed", None
        ):
            return False
        if row["reported_at"][:10] != "2026-02-05":
            return False
    return len(items) > 0


def goal_old_ropes_with_a_fall_doubtful(world) -> bool:
    """Each ready rope last inspected before October 2025 that took a fall has one doubtful inspection more."""
    items = world.initial.query(
        "SELECT k.* FROM kit_items k JOIN kit_types t ON t.id = k.kit_type_id"
        " WHERE t.name IN ('60 metre rope', '30 metre rope') AND k.status = 'ready'"
        " AND (SELECT max(i.happened_on) FROM inspections i WHERE i.kit_item_id = k.id AND i.kind = 'inspection')"
        " < '2025-10-01'"
        " AND (SELECT count(*) FROM inspections i WHERE i.kit_item_id = k.id AND i.kind = 'fall') > 0"
    )
    for item in items:
        rows = [
            c["after"]
            for c in world.changes
            if c["table"] == "inspections" and c["before"] is None and c["after"]["kit_item_id"] == item["id"]
        ]
        if len(rows) != 1:
            return False
        row = rows[0]
        if (row["member_id"], row["kind"], row["happened_on"], row["result"], row["sector_id"]) != (
            1, "inspection", "2026-02-05", "doubtful", None
        ):
            return False
        if row["reported_at"][:10] != "2026-02-05":
            return False
    return len(items) > 0


def goal_ropes_with_a_fall_are_no_longer_ready(world) -> bool:
    """Each of the ropes that took a fall is doubtful now, and nothing else about it changed."""
    items = world.initial.query(
        "SELECT k.* FROM kit_items k JOIN kit_types t ON t.id = k.kit_type_id"
        " WHERE t.name IN ('60 metre rope', '30 metre rope') AND k.status = 'ready'"
        " AND (SELECT max(i.happened_on) FROM inspections i WHERE i.kit_item_id = k.id AND i.kind = 'inspection')"
        " < '2025-10-01'"
        " AND (SELECT count(*) FROM inspections i WHERE i.kit_item_id = k.id AND i.kind = 'fall') > 0"
    )
    for item in items:
        row = world.final.one("SELECT * FROM kit_items WHERE id = ?", (item["id"],))
        if row is None or dict(row) != dict(item, status="doubtful"):
            return False
    return len(items) > 0


def goal_says_passed_labels(world) -> bool:
    """Says the labels of the ropes that passed."""
    items = world.initial.query(
        "SELECT k.* FROM kit_items k JOIN kit_types t ON t.id = k.kit_type_id"
        " WHERE t.name IN ('60 metre rope', '30 metre rope') AND k.status = 'ready'"
        " AND (SELECT max(i.happened_on) FROM inspections i WHERE i.kit_item_id = k.id AND i.kind = 'inspection')"
        " < '2025-10-01'"
        " AND (SELECT count(*) FROM inspections i WHERE i.kit_item_id = k.id AND i.kind = 'fall') = 0"
    )
    return world.report.says("passed_labels", [item["label"] for item in items])


def goal_says_doubtful_labels(world) -> bool:
    """Says the labels of the ropes that are doubtful."""
    items = world.initial.query(
        "SELECT k.* FROM kit_items k JOIN kit_types t ON t.id = k.kit_type_id"
        " WHERE t.name IN ('60 metre rope', '30 metre rope') AND k.status = 'ready'"
        " AND (SELECT max(i.happened_on) FROM inspections i WHERE i.kit_item_id = k.id AND i.kind = 'inspection')"
        " < '2025-10-01'"
        " AND (SELECT count(*) FROM inspections i WHERE i.kit_item_id = k.id AND i.kind = 'fall') > 0"
    )
    return world.report.says("doubtful_labels", [item["label"] for item in items])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_only_the_ropes_inspected(world) -> bool:
    """Changed nothing but one new inspection for each rope inspected, and the state of those that took a fall."""
    fallen = {item["id"] for item in world.initial.query(
        "SELECT k.* FROM kit_items k JOIN kit_types t ON t.id = k.kit_type_id"
        " WHERE t.name IN ('60 metre rope', '30 metre rope') AND k.status = 'ready'"
        " AND (SELECT max(i.happened_on) FROM inspections i WHERE i.kit_item_id = k.id AND i.kind = 'inspection')"
        " < '2025-10-01'"
        " AND (SELECT count(*) FROM inspections i WHERE i.kit_item_id = k.id AND i.kind = 'fall') > 0"
    )}
    unfallen = {item["id"] for item in world.initial.query(
        "SELECT k.* FROM kit_items k JOIN kit_types t ON t.id = k.kit_type_id"
        " WHERE t.name IN ('60 metre rope', '30 metre rope') AND k.status = 'ready'"
        " AND (SELECT max(i.happened_on) FROM inspections i WHERE i.kit_item_id = k.id AND i.kind = 'inspection')"
        " < '2025-10-01'"
        " AND (SELECT count(*) FROM inspections i WHERE i.kit_item_id = k.id AND i.kind = 'fall') = 0"
    )}
    reported = set()
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] == "inspections" and before is None and after is not None:
            item = after["kit_item_id"]
            if item not in fallen | unfallen or item in reported:
                return False
            reported.add(item)
        elif change["table"] == "kit_items" and before is not None and after is not None:
            if before["id"] not in fallen:
                return False
            if any(before[column] != after[column] for column in before if column != "status"):
                return False
        else:
            return False
    return True

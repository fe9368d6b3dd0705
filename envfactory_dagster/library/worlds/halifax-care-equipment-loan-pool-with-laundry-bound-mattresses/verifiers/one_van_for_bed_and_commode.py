def _columns(change):
    """The columns that differ in a changed row."""
    return {name for name in change["after"] if change["after"][name] != change["before"][name]}


def _bed(world):
    """The older of the beds on loan."""
    return world.initial.one(
        "SELECT l.id FROM loans l JOIN items i ON i.id = l.item_id JOIN item_types t ON t.id = i.item_type_id"
        " JOIN household_members m ON m.client_id = l.client_id"
        " WHERE m.household_id = (SELECT household_id FROM household_members WHERE client_id = 1)"
        " AND t.name = 'bed' AND l.status = 'on_loan' ORDER BY l.out_on, l.id LIMIT 1"
    )["id"]


def _commode(world):
    """The user's own commode."""
    return world.initial.one(
        "SELECT l.id FROM loans l JOIN items i ON i.id = l.item_id JOIN item_types t ON t.id = i.item_type_id"
        " WHERE l.client_id = 1 AND t.name = 'commode' AND l.status = 'on_loan'"
    )["id"]


def _slots(world):
    """The ids of the open van slots on 8 and 9 October with room for both."""
    rows = world.initial.query(
        "SELECT s.id, 4 - COALESCE((SELECT SUM(t.van_points) FROM deliveries d JOIN loans l ON l.id = d.loan_id"
        " JOIN items i ON i.id = l.item_id JOIN item_types t ON t.id = i.item_type_id"
        " WHERE d.van_slot_id = s.id AND d.status <> 'cancelled'), 0) AS room"
        " FROM van_slots s WHERE s.status = 'open' AND s.day >= ? AND s.day <= ? ORDER BY s.id",
        ["2026-10-08", "2026-10-09"],
    )
    needed = world.initial.one("SELECT SUM(van_points) AS n FROM item_types WHERE name IN ('bed', 'commode')")["n"]
    return [row["id"] for row in rows if row["room"] >= needed]


def _collections(world, loan_id):
    """The slots in which the collection of this loan is booked."""
    rows = world.final.query(
        "SELECT van_slot_id FROM deliveries WHERE loan_id = ? AND kind = 'collection' AND status = 'booked' ORDER BY id",
        [loan_id],
    )
    return [row["van_slot_id"] for row in rows]


def goal_bed_is_collected(world) -> bool:
    """The old bed is collected once, in a slot with room for both."""
    slots = _collections(world, _bed(world))
    return len(slots) == 1 and slots[0] in _slots(world)


def goal_commode_is_collected(world) -> bool:
    """The user's own commode is collected once, in a slot with room for both."""
    slots = _collections(world, _commode(world))
    return len(slots) == 1 and slots[0] in _slots(world)


def goal_both_go_in_one_trip(world) -> bool:
    """Both go in the same van slot."""
    slots = _collections(world, _bed(world))
    return len(slots) == 1 and slots == _collections(world, _commode(world))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule in the way."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing but one new collection of each of the two."""
    wanted = [_bed(world), _commode(world)]
    new = []
    for change in world.changes:
        table, before, after = change["table"], change["before"], change["after"]
        if after is None:
            return False
        if table == "deliveries" and before is None:
            new.append(after["loan_id"])
            if after["loan_id"] not in wanted or after["kind"] != "collection" or after["status"] != "booked":
                return False
            if after["van_slot_id"] not in _slots(world):
                return False
        elif table == "loans" and before is not None and after["id"] in wanted:
            if _columns(change) != {"collection_asked_on"} or after["collection_asked_on"] != "2026-10-05":
                return False
        else:
            return False
    return len(new) == len(set(new))

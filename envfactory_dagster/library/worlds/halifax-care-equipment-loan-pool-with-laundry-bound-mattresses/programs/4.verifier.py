import datetime


def _loan(world):
    """Yvette's pencilled mattress."""
    return world.initial.one(
        "SELECT l.id, l.item_id, l.request_id FROM loans l JOIN clients c ON c.id = l.client_id"
        " JOIN items i ON i.id = l.item_id JOIN item_types t ON t.id = i.item_type_id"
        " WHERE c.name = 'Yvette Comeau' AND l.status = 'pencilled' AND t.name = 'pressure mattress'"
    )


def _slot(world):
    """The first van slot with room in which it may go."""
    stay = world.initial.one(
        "SELECT dropped_on FROM laundry_stays WHERE item_id = ? AND status = 'at_laundry'", [_loan(world)["item_id"]]
    )
    closed = {row["day"] for row in world.initial.query("SELECT day FROM laundry_closed_days")}
    day = datetime.date.fromisoformat(stay["dropped_on"])
    full_days = 0
    while full_days < 5:
        day += datetime.timedelta(days=1)
        if day.weekday() < 5 and day.isoformat() not in closed:
            full_days += 1
    day += datetime.timedelta(days=1)
    return world.initial.one(
        "SELECT s.id, s.day, v.name, 4 - COALESCE((SELECT SUM(t.van_points) FROM deliveries d"
        " JOIN loans l ON l.id = d.loan_id JOIN items i ON i.id = l.item_id JOIN item_types t ON t.id = i.item_type_id"
        " WHERE d.van_slot_id = s.id AND d.status <> 'cancelled'), 0) AS room"
        " FROM van_slots s JOIN volunteers v ON v.id = s.volunteer_id"
        " WHERE s.status = 'open' AND s.day >= ? AND room >= 1"
        " ORDER BY s.day, s.part_of_day DESC, s.id LIMIT 1",
        [day.isoformat()],
    )


def _saturday(world):
    return datetime.date.fromisoformat(_slot(world)["day"]).weekday() == 5


def _own(world):
    """The booked delivery of the user's own mattress."""
    return world.initial.one(
        "SELECT d.id FROM deliveries d JOIN loans l ON l.id = d.loan_id JOIN items i ON i.id = l.item_id"
        " JOIN item_types t ON t.id = i.item_type_id WHERE l.client_id = 1 AND t.name = 'pressure mattress'"
        " AND d.kind = 'delivery' AND d.status = 'booked'"
    )


def goal_yvettes_mattress_is_booked(world) -> bool:
    """Yvette's mattress is booked in the first van slot it may go in."""
    rows = world.final.query(
        "SELECT van_slot_id FROM deliveries WHERE loan_id = ? AND kind = 'delivery' AND status = 'booked'", [_loan(world)["id"]]
    )
    return [row["van_slot_id"] for row in rows] == [_slot(world)["id"]]


def goal_her_loan_is_reserved(world) -> bool:
    """Her loan is reserved and her request accepted by that."""
    loan = world.final.one("SELECT status, item_id FROM loans WHERE id = ?", [_loan(world)["id"]])
    request = world.final.one("SELECT status FROM requests WHERE id = ?", [_loan(world)["request_id"]])
    return loan["status"] == "reserved" and loan["item_id"] == _loan(world)["item_id"] and request["status"] == "accepted"


def goal_own_mattress_comes_along(world) -> bool:
    """The user's own mattress comes in the same van if that is on a Saturday."""
    before = world.initial.one("SELECT van_slot_id FROM deliveries WHERE id = ?", [_own(world)["id"]])
    after = world.final.one("SELECT van_slot_id, status FROM deliveries WHERE id = ?", [_own(world)["id"]])
    wanted = _slot(world)["id"] if _saturday(world) else before["van_slot_id"]
    return after["van_slot_id"] == wanted and after["status"] == "booked"


def goal_says_the_day(world) -> bool:
    """Says on which day Yvette's mattress comes."""
    return world.report.says("day", _slot(world)["day"])


def goal_says_who_drives(world) -> bool:
    """Says who drives."""
    return world.report.says("driver", _slot(world)["name"])


def goal_says_what_room_is_left(world) -> bool:
    """Says how many points the van has left in the end."""
    return world.report.says("points_left", _slot(world)["room"] - (2 if _saturday(world) else 1))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing but the new delivery, Yvette's loan and request, and the slot of the user's own mattress."""
    loan, slot, own = _loan(world), _slot(world), _own(world)
    added = 0
    for change in world.changes:
        before, after, table = change["before"], change["after"], change["table"]
        if after is None:
            return False
        if before is None:
            added += 1
            if table != "deliveries" or after["loan_id"] != loan["id"] or after["kind"] != "delivery":
                return False
            if after["van_slot_id"] != slot["id"] or after["status"] != "booked":
                return False
            continue
        columns = {column for column in after if after[column] != before[column]}
        if table == "deliveries":
            allowed = {"van_slot_id"} if after["id"] == own["id"] and after["van_slot_id"] == slot["id"] else set()
        elif table == "loans":
            allowed = {"status", "reserved_until", "deposit_cents"} if after["id"] == loan["id"] else set()
        elif table == "requests":
            allowed = {"status", "closed_at"} if after["id"] == loan["request_id"] else set()
        else:
            allowed = set()
        if not columns <= allowed:
            return False
    return added <= 1

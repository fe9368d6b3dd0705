def _columns(change):
    """The columns that differ in a changed row."""
    return {name for name in change["after"] if change["after"][name] != change["before"][name]}


def _offer(world):
    """The open offer of a pressure mattress to Doreen."""
    return world.initial.one(
        "SELECT o.id, o.request_id, o.item_id, r.client_id FROM offers o JOIN requests r ON r.id = o.request_id"
        " JOIN clients c ON c.id = r.client_id JOIN items i ON i.id = o.item_id JOIN item_types t ON t.id = i.item_type_id"
        " WHERE c.name = 'Doreen Boutilier' AND t.name = 'pressure mattress' AND o.status = 'open'"
    )


def _slots(world):
    """The ids of the van slots that may be taken: mornings with room, afternoons only without any."""
    rows = world.initial.query(
        "SELECT s.id, s.part_of_day, 4 - COALESCE((SELECT SUM(t.van_points) FROM deliveries d"
        " JOIN loans l ON l.id = d.loan_id JOIN items i ON i.id = l.item_id JOIN item_types t ON t.id = i.item_type_id"
        " WHERE d.van_slot_id = s.id AND d.status <> 'cancelled'), 0) AS room"
        " FROM van_slots s WHERE s.status = 'open' AND s.day >= ? AND s.day <= ? ORDER BY s.id",
        ["2026-07-06", "2026-07-08"],
    )
    rows = [row for row in rows if row["room"] >= 1]
    mornings = [row["id"] for row in rows if row["part_of_day"] == "morning"]
    return mornings or [row["id"] for row in rows]


def _booked(world):
    """The new booked deliveries of the offered mattress to Doreen."""
    offer = _offer(world)
    rows = world.final.query(
        "SELECT d.id, d.van_slot_id, s.day, s.part_of_day, v.name FROM deliveries d JOIN loans l ON l.id = d.loan_id"
        " JOIN van_slots s ON s.id = d.van_slot_id JOIN volunteers v ON v.id = s.volunteer_id"
        " WHERE l.request_id = ? AND l.item_id = ? AND l.client_id = ? AND d.kind = 'delivery' AND d.status = 'booked'",
        [offer["request_id"], offer["item_id"], offer["client_id"]],
    )
    return rows[0] if len(rows) == 1 else None


def goal_offer_is_accepted(world) -> bool:
    """The offer of the pressure mattress to Doreen is accepted, and so is her request."""
    offer = _offer(world)
    row = world.final.one("SELECT status FROM offers WHERE id = ?", [offer["id"]])
    request = world.final.one("SELECT status FROM requests WHERE id = ?", [offer["request_id"]])
    return row["status"] == "accepted" and request["status"] == "accepted"


def goal_mattress_is_reserved_for_her(world) -> bool:
    """The offered mattress is reserved for Doreen, with one loan."""
    offer = _offer(world)
    rows = world.final.query(
        "SELECT l.id FROM loans l JOIN items i ON i.id = l.item_id WHERE l.client_id = ? AND l.item_id = ?"
        " AND l.request_id = ? AND l.status = 'reserved' AND i.status = 'reserved'",
        [offer["client_id"], offer["item_id"], offer["request_id"]],
    )
    return len(rows) == 1


def goal_delivery_is_booked(world) -> bool:
    """It is delivered once, in a morning from 6 to 8 July with room in the van."""
    booked = _booked(world)
    return booked is not None and booked["van_slot_id"] in _slots(world)


def goal_says_who_comes(world) -> bool:
    """Says who brings it."""
    booked = _booked(world)
    return booked is not None and world.report.says("who_comes", booked["name"])


def goal_says_the_day(world) -> bool:
    """Says on which day it comes."""
    booked = _booked(world)
    return booked is not None and world.report.says("day", booked["day"])


def goal_says_the_part_of_day(world) -> bool:
    """Says in which part of the day it comes."""
    booked = _booked(world)
    return booked is not None and world.report.says("part_of_day", booked["part_of_day"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule in the way."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing but the offer, its request and item, one new loan and one new delivery of it."""
    offer = _offer(world)
    new = {"loans": 0, "deliveries": 0}
    for change in world.changes:
        table, before, after = change["table"], change["before"], change["after"]
        if after is None:
            return False
        if before is None:
            if table not in new:
                return False
            new[table] += 1
            if table == "loans":
                if (after["client_id"], after["item_id"], after["request_id"]) != (
                    offer["client_id"], offer["item_id"], offer["request_id"]
                ):
                    return False
                if after["status"] != "reserved" or after["renewals_used"] != 0 or after["deposit_cents"] != 0:
                    return False
                if any(after[name] is not None for name in ("out_on", "due_on", "soiled_at", "collection_asked_on")):
                    return False
            elif after["kind"] != "delivery" or after["status"] != "booked" or after["van_slot_id"] not in _slots(world):
                return False
            elif world.final.one("SELECT request_id FROM loans WHERE id = ?", [after["loan_id"]])["request_id"] != (
                offer["request_id"]
            ):
                return False
        elif table == "offers" and after["id"] == offer["id"]:
            if not _columns(change) <= {"status", "answered_at"} or after["status"] != "accepted":
                return False
        elif table == "requests" and after["id"] == offer["request_id"]:
            if not _columns(change) <= {"status", "closed_at"} or after["status"] != "accepted":
                return False
        elif table == "items" and after["id"] == offer["item_id"]:
            if _columns(change) != {"status"} or after["status"] != "reserved":
                return False
        else:
            return False
    return new["loans"] <= 1 and new["deliveries"] <= 1

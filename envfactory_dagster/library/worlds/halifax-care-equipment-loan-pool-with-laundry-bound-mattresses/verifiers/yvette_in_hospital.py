def _columns(change):
    """The columns that differ in a changed row."""
    return {name for name in change["after"] if change["after"][name] != change["before"][name]}


def _deliveries(world):
    """What is booked for delivery to Yvette on or before 9 October."""
    return world.initial.query(
        "SELECT d.id, d.loan_id FROM deliveries d JOIN loans l ON l.id = d.loan_id JOIN clients c ON c.id = l.client_id"
        " JOIN van_slots s ON s.id = d.van_slot_id WHERE c.name = 'Yvette Comeau' AND d.kind = 'delivery'"
        " AND d.status = 'booked' AND s.day <= '2026-10-09' ORDER BY d.id"
    )


def _request(world):
    """Yvette's waiting request for a wheelchair."""
    return world.initial.one(
        "SELECT r.id, r.item_type_id FROM requests r JOIN clients c ON c.id = r.client_id"
        " JOIN item_types t ON t.id = r.item_type_id"
        " WHERE c.name = 'Yvette Comeau' AND t.name = 'wheelchair' AND r.status = 'waiting'"
    )


def goal_deliveries_are_cancelled(world) -> bool:
    """Every delivery to Yvette booked up to 9 October is cancelled because of the hospital admission."""
    rows = [
        world.final.one("SELECT status, cancel_reason FROM deliveries WHERE id = ?", [row["id"]]) for row in _deliveries(world)
    ]
    return all(row["status"] == "cancelled" and row["cancel_reason"] == "hospital_admission" for row in rows)


def goal_her_request_is_withdrawn(world) -> bool:
    """Yvette's request for a wheelchair is withdrawn."""
    row = world.final.one("SELECT status FROM requests WHERE id = ?", [_request(world)["id"]])
    return row["status"] == "withdrawn"


def goal_own_wheelchair_is_asked_for(world) -> bool:
    """One wheelchair at least 50 cm wide is asked for in the user's name."""
    rows = world.final.query(
        "SELECT min_width_cm FROM requests WHERE client_id = 1 AND item_type_id = ? AND status = 'waiting' ORDER BY id",
        [_request(world)["item_type_id"]],
    )
    return len(rows) == 1 and rows[0]["min_width_cm"] == 50


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule in the way."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing but those deliveries with their reservations, Yvette's request and one new request."""
    deliveries = {row["id"]: row["loan_id"] for row in _deliveries(world)}
    request = _request(world)
    new = 0
    for change in world.changes:
        table, before, after = change["table"], change["before"], change["after"]
        if after is None:
            return False
        if table == "requests" and before is None:
            new += 1
            if after["client_id"] != 1 or after["item_type_id"] != request["item_type_id"] or after["status"] != "waiting":
                return False
            if after["min_width_cm"] != 50 or after["priority"] is not None or after["moved_back_at"] is not None:
                return False
        elif before is None:
            return False
        elif table == "requests" and after["id"] == request["id"]:
            if not _columns(change) <= {"status", "closed_at"} or after["status"] != "withdrawn":
                return False
        elif table == "deliveries" and after["id"] in deliveries:
            if not _columns(change) <= {"status", "cancelled_at", "cancel_reason"}:
                return False
            if after["status"] != "cancelled" or after["cancel_reason"] != "hospital_admission":
                return False
        elif table == "loans" and after["id"] in deliveries.values():
            if _columns(change) != {"reserved_until"} or after["reserved_until"] != "2026-10-08":
                return False
        else:
            return False
    return new <= 1

import re


def _run(world):
    """The van of Tuesday 30 June."""
    return world.initial.one("SELECT id, second_viewing_day FROM van_runs WHERE run_on = '2026-06-30'")


def _first_can(world):
    """The first can of Cimentos de Souselas on the reader's order for that van."""
    return world.initial.one(
        "SELECT c.id, c.cold_store_order_id FROM order_cans c JOIN cold_store_orders o ON o.id = c.cold_store_order_id"
        " JOIN items i ON i.id = o.item_id WHERE o.reader_id = 1 AND o.run_id = ? AND o.status = 'on a run'"
        " AND i.title = 'Cimentos de Souselas' AND c.can_no = 1", [_run(world)["id"]])


def _original(world):
    """The original of TEUC: um ensaio."""
    return world.initial.one("SELECT id FROM items WHERE title = 'TEUC: um ensaio' AND place = 'Sebal' AND item_class = 'V'")


def _free_slots(world):
    """The sessions that are free on Thursday 2 July at the start."""
    return [
        s["id"] for s in world.initial.query("SELECT id FROM slots WHERE kind = 'viewing table' ORDER BY id")
        if world.initial.one(
            "SELECT (SELECT count(*) FROM cold_store_orders WHERE session_day = '2026-07-02' AND session_slot_id = ?"
            " AND status IN ('on a run', 'seen', 'absent')) + (SELECT count(*) FROM bookings b JOIN places p ON p.id = b.place_id"
            " WHERE p.kind = 'viewing table' AND b.on_day = '2026-07-02' AND b.slot_id = ?"
            " AND b.status IN ('booked', 'came', 'absent')) AS n", [s["id"], s["id"]])["n"] == 0
    ]


def _new(world, table):
    """The new rows of a table."""
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def _request(world):
    """The one new request for the original on that van, or None."""
    rows = [
        o for o in _new(world, "cold_store_orders")
        if o["reader_id"] == 1 and o["item_id"] == _original(world)["id"] and o["status"] == "awaiting consent"
        and o["asked_run_id"] == _run(world)["id"]
    ]
    return rows[0] if len(rows) == 1 else None


def goal_strikes_off_the_first_can(world) -> bool:
    """Has the first can of Cimentos de Souselas struck off, the order with the second one still on its van."""
    can = _first_can(world)
    row = world.final.one(
        "SELECT count(*) AS n FROM order_cans c JOIN cold_store_orders o ON o.id = c.cold_store_order_id"
        " WHERE o.id = ? AND o.status = 'on a run' AND o.run_id = ?"
        " AND ((c.can_no = 1 AND c.struck_off_at IS NOT NULL) OR (c.can_no = 2 AND c.struck_off_at IS NULL))",
        [can["cold_store_order_id"], _run(world)["id"]])
    return row["n"] == 2


def goal_asks_for_the_original_on_the_same_van(world) -> bool:
    """Has one request for the original of TEUC: um ensaio, its one can, that awaits consent for the same van."""
    request = _request(world)
    if request is None:
        return False
    cans = world.final.query("SELECT can_no, struck_off_at FROM order_cans WHERE cold_store_order_id = ?", [request["id"]])
    return [(c["can_no"], c["struck_off_at"]) for c in cans] == [(1, None)]


def goal_wishes_for_the_free_session_on_thursday(world) -> bool:
    """Has Thursday 2 July in a session that is free that day as the wish of the request."""
    request = _request(world)
    return request is not None and request["wish_day"] == "2026-07-02" and request["wish_slot_id"] in _free_slots(world)


def goal_gives_no_other_reason_than_the_edge_codes(world) -> bool:
    """Has the request say that the edge codes are to be read, if it says why at all."""
    request = _request(world)
    if request is None:
        return False
    return request["note"] is None or "edgecode" in re.sub("[^a-z]", "", request["note"].lower())


def guard_changes_nothing_else(world) -> bool:
    """Touched only that can with its van fee, and added no more than one request with its can."""
    can = _first_can(world)
    orders, cans = _new(world, "cold_store_orders"), _new(world, "order_cans")
    if len(orders) > 1 or len(cans) != len(orders):
        return False
    for order in orders:
        if (order["reader_id"], order["is_laboratory"], order["item_id"], order["status"]) != (1, 0, _original(world)["id"], "awaiting consent"):
            return False
        empty = ("run_id", "session_day", "session_slot_id", "technician_id", "decided_by_id", "decided_at", "cancelled_at")
        if any(order[k] is not None for k in empty):
            return False
        if cans[0]["cold_store_order_id"] != order["id"] or cans[0]["can_no"] != 1 or cans[0]["struck_off_at"] is not None:
            return False
    struck = False
    dropped = False
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if before is None:
            if change["table"] not in ("cold_store_orders", "order_cans"):
                return False
            continue
        columns = {k for k in before if before[k] != after[k]}
        if change["table"] == "order_cans":
            if before["id"] != can["id"] or columns != {"struck_off_at"} or after["struck_off_at"] is None:
                return False
            struck = True
        elif change["table"] == "account_lines":
            if before["order_can_id"] != can["id"] or columns != {"status", "note"} or before["status"] != "owed":
                return False
            if after["status"] != "dropped" or after["note"] != "struck off in time":
                return False
            dropped = True
        else:
            return False
    return struck == dropped


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule as a reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None

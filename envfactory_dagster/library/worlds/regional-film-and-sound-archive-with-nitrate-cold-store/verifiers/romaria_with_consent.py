def _film(world):
    """The title Romaria da Senhora da Piedade."""
    return world.initial.one("SELECT id FROM items WHERE title = 'Romaria da Senhora da Piedade'")["id"]


def _run(world):
    """The van of Tuesday 29 September."""
    return world.initial.one("SELECT id FROM van_runs WHERE run_on = '2026-09-29'")["id"]


def _free_slots(world):
    """The sessions that are free on Wednesday 30 September at the start."""
    return [
        s for s in world.initial.query("SELECT id, starts, ends FROM slots WHERE kind = 'viewing table' ORDER BY id")
        if world.initial.one(
            "SELECT (SELECT count(*) FROM cold_store_orders WHERE session_day = '2026-09-30' AND session_slot_id = ?"
            " AND status IN ('on a run', 'seen', 'absent')) + (SELECT count(*) FROM bookings b JOIN places p ON p.id = b.place_id"
            " WHERE p.kind = 'viewing table' AND b.on_day = '2026-09-30' AND b.slot_id = ?"
            " AND b.status IN ('booked', 'came', 'absent')) AS n", [s["id"], s["id"]])["n"] == 0
    ]


def _booth(world):
    """The reader's booth on that Wednesday afternoon."""
    return world.initial.one(
        "SELECT b.id, s.starts, s.ends FROM bookings b JOIN places p ON p.id = b.place_id JOIN slots s ON s.id = b.slot_id"
        " WHERE b.reader_id = 1 AND b.on_day = '2026-09-30' AND b.status = 'booked' AND p.kind = 'booth' AND s.starts >= '12:00'")


def _clashes(world):
    """Whether every session that is free falls at the time of the booth."""
    booth = _booth(world)
    return all(s["starts"] < booth["ends"] and booth["starts"] < s["ends"] for s in _free_slots(world))


def _new(world, table):
    """The new rows of a table."""
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def _request(world):
    """The one new request for the film for that van, or None."""
    rows = [
        o for o in _new(world, "cold_store_orders")
        if o["reader_id"] == 1 and o["item_id"] == _film(world) and o["status"] == "awaiting consent"
        and o["asked_run_id"] == _run(world)
    ]
    return rows[0] if len(rows) == 1 else None


def goal_puts_in_the_request_for_the_van(world) -> bool:
    """Has one request for the one can of the film that awaits consent for the van of Tuesday 29 September."""
    request = _request(world)
    if request is None:
        return False
    cans = world.final.query("SELECT can_no, struck_off_at FROM order_cans WHERE cold_store_order_id = ?", [request["id"]])
    return [(c["can_no"], c["struck_off_at"]) for c in cans] == [(1, None)]


def goal_wishes_for_the_free_session_on_wednesday(world) -> bool:
    """Has the session that is free on Wednesday 30 September as the wish of the request."""
    request = _request(world)
    if request is None:
        return False
    return request["wish_day"] == "2026-09-30" and request["wish_slot_id"] in [s["id"] for s in _free_slots(world)]


def goal_gives_no_other_reason_than_the_thesis(world) -> bool:
    """Has the request say that it is for a thesis, if it says why at all."""
    request = _request(world)
    if request is None:
        return False
    return request["note"] is None or "thesis" in request["note"].lower()


def goal_cancels_the_booth_that_falls_at_the_same_time(world) -> bool:
    """Has cancelled the booth of that afternoon, as the session falls at its time."""
    row = world.final.one("SELECT status FROM bookings WHERE id = ?", [_booth(world)["id"]])
    return _clashes(world) and row["status"] == "cancelled"


def guard_changes_nothing_else(world) -> bool:
    """Touched only that booth, and added no more than one request with its can."""
    orders, cans = _new(world, "cold_store_orders"), _new(world, "order_cans")
    if len(orders) > 1 or len(cans) != len(orders):
        return False
    for order, can in zip(orders, cans):
        if (order["reader_id"], order["is_laboratory"], order["item_id"], order["status"]) != (1, 0, _film(world), "awaiting consent"):
            return False
        empty = ("run_id", "session_day", "session_slot_id", "technician_id", "decided_by_id", "decided_at", "cancelled_at")
        if any(order[k] is not None for k in empty):
            return False
        if (can["cold_store_order_id"], can["can_no"], can["struck_off_at"]) != (order["id"], 1, None):
            return False
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if before is None:
            if change["table"] not in ("cold_store_orders", "order_cans"):
                return False
            continue
        columns = {k for k in before if before[k] != after[k]}
        if change["table"] != "bookings" or before["id"] != _booth(world)["id"] or not _clashes(world):
            return False
        if columns != {"status", "cancelled_at"} or after["status"] != "cancelled":
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule as a reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None

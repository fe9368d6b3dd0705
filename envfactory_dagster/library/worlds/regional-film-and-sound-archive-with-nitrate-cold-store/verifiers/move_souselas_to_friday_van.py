def _order(world):
    """The reader's order of Cimentos de Souselas that is on a van."""
    return world.initial.one(
        "SELECT o.id FROM cold_store_orders o JOIN items i ON i.id = o.item_id WHERE o.reader_id = 1"
        " AND o.status = 'on a run' AND i.title = 'Cimentos de Souselas'")


def _run(world):
    """The van of Friday 3 July."""
    return world.initial.one("SELECT id FROM van_runs WHERE run_on = '2026-07-03'")


def _slot(world, name):
    """The id of a slot."""
    return world.initial.one("SELECT id FROM slots WHERE slot = ?", [name])["id"]


def _taken(world, day, slot_id):
    """Whether the table is given away for that session at the start."""
    return world.initial.one(
        "SELECT (SELECT count(*) FROM cold_store_orders WHERE session_day = ? AND session_slot_id = ?"
        " AND status IN ('on a run', 'seen', 'absent')) + (SELECT count(*) FROM bookings b JOIN places p ON p.id = b.place_id"
        " WHERE p.kind = 'viewing table' AND b.on_day = ? AND b.slot_id = ?"
        " AND b.status IN ('booked', 'came', 'absent')) AS n", [day, slot_id, day, slot_id])["n"] > 0


def _session(world):
    """The session on Monday 6 July that it has to be: the afternoon one, if that is gone the morning one."""
    afternoon = _slot(world, "T2")
    return _slot(world, "T1") if _taken(world, "2026-07-06", afternoon) else afternoon


def _booth(world):
    """The reader's booth on Wednesday 1 July."""
    return world.initial.one(
        "SELECT b.id FROM bookings b JOIN places p ON p.id = b.place_id WHERE b.reader_id = 1 AND b.on_day = '2026-07-01'"
        " AND b.status = 'booked' AND p.kind = 'booth'")


def _fee(world):
    """The line of the price list for the table with a house reel, the reader alone."""
    return world.initial.one("SELECT id, price_cents FROM prices WHERE price_no = 'P09'")


def _reel(world):
    """The house reel Lavadeiras do Mondego."""
    return world.initial.one("SELECT id FROM items WHERE title = 'Lavadeiras do Mondego'")


def _new_bookings(world):
    """The new bookings."""
    return [c["after"] for c in world.changes if c["table"] == "bookings" and c["before"] is None]


def goal_moves_the_order_to_the_friday_van(world) -> bool:
    """Has the order of Cimentos de Souselas on the van of Friday 3 July."""
    row = world.final.one("SELECT run_id, status FROM cold_store_orders WHERE id = ?", [_order(world)["id"]])
    return row["run_id"] == _run(world)["id"] and row["status"] == "on a run"


def goal_has_the_right_session_on_monday(world) -> bool:
    """Has the afternoon session on Monday 6 July for it, the morning one if that is gone."""
    row = world.final.one("SELECT session_day, session_slot_id, status FROM cold_store_orders WHERE id = ?", [_order(world)["id"]])
    return row["status"] == "on a run" and row["session_day"] == "2026-07-06" and row["session_slot_id"] == _session(world)


def goal_cancels_the_booth_on_wednesday(world) -> bool:
    """Has cancelled the booth on Wednesday 1 July."""
    return world.final.one("SELECT status FROM bookings WHERE id = ?", [_booth(world)["id"]])["status"] == "cancelled"


def goal_books_the_table_alone_on_friday(world) -> bool:
    """Has the viewing table on Friday 3 July, in either session, alone, for Lavadeiras do Mondego."""
    rows = world.final.query(
        "SELECT b.id FROM bookings b JOIN places p ON p.id = b.place_id WHERE b.reader_id = 1 AND b.on_day = '2026-07-03'"
        " AND b.status = 'booked' AND p.kind = 'viewing table' AND b.slot_id IN (?, ?) AND b.item_id = ? AND b.persons = 1"
        " AND b.technician_id IS NULL", [_slot(world, "T1"), _slot(world, "T2"), _reel(world)["id"]])
    return len(rows) == 1 and rows[0]["id"] in [b["id"] for b in _new_bookings(world)]


def guard_changes_nothing_else(world) -> bool:
    """Touched only run and session of the order, the booth, and one new booking of the table with its fee."""
    bookings = _new_bookings(world)
    lines = [c["after"] for c in world.changes if c["table"] == "account_lines" and c["before"] is None]
    if len(bookings) > 1 or len(lines) != len(bookings):
        return False
    fee = _fee(world)
    for booking, line in zip(bookings, lines):
        place = world.initial.one("SELECT kind FROM places WHERE id = ?", [booking["place_id"]])
        if booking["reader_id"] != 1 or place["kind"] != "viewing table" or booking["on_day"] != "2026-07-03":
            return False
        if booking["item_id"] != _reel(world)["id"] or booking["persons"] != 1 or booking["technician_id"] is not None:
            return False
        if (booking["price_id"], booking["fee_cents"], booking["status"]) != (fee["id"], fee["price_cents"], "booked"):
            return False
        if any(booking[k] is not None for k in ("booth_slip_id", "cancelled_at")):
            return False
        if (line["reader_id"], line["price_id"], line["amount_cents"]) != (1, fee["id"], fee["price_cents"]):
            return False
        if line["booking_id"] != booking["id"] or line["status"] != "owed":
            return False
        if any(line[k] is not None for k in ("order_can_id", "cold_store_order_id", "paid_on", "note")):
            return False
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if before is None:
            if change["table"] not in ("bookings", "account_lines"):
                return False
            continue
        columns = {k for k in before if before[k] != after[k]}
        if change["table"] == "cold_store_orders":
            if before["id"] != _order(world)["id"] or not columns <= {"run_id", "session_day", "session_slot_id"}:
                return False
        elif change["table"] == "bookings":
            if before["id"] != _booth(world)["id"] or columns != {"status", "cancelled_at"} or after["status"] != "cancelled":
                return False
        else:
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule as a reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None

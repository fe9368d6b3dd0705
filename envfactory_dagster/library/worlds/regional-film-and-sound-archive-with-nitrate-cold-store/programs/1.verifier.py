def _mine(world):
    """The reader's booths from 25 June to noon on 1 July."""
    return world.initial.query(
        "SELECT b.id FROM bookings b JOIN places p ON p.id = b.place_id JOIN slots s ON s.id = b.slot_id"
        " WHERE b.reader_id = 1 AND b.status = 'booked' AND p.kind = 'booth' AND b.on_day >= '2026-06-25'"
        " AND (b.on_day < '2026-07-01' OR (b.on_day = '2026-07-01' AND s.starts < '12:00')) ORDER BY b.id"
    )


def goal_cancels_every_booth_of_those_days(world) -> bool:
    """Cancels every booth from 25 June to noon on 1 July."""
    ids = [row["id"] for row in _mine(world)]
    states = [world.final.one("SELECT status FROM bookings WHERE id = ?", [i])["status"] for i in ids]
    return len(ids) > 0 and all(s == "cancelled" for s in states)


def goal_drops_the_fee_of_the_second_slot(world) -> bool:
    """Leaves no fee owed for a booth that is cancelled."""
    lines = []
    for row in _mine(world):
        lines += world.initial.query("SELECT id FROM account_lines WHERE booking_id = ? AND status = 'owed'", [row["id"]])
    states = [world.final.one("SELECT status FROM account_lines WHERE id = ?", [l["id"]])["status"] for l in lines]
    return len(states) > 0 and all(s == "dropped" for s in states)


def goal_says_how_much_less_is_owed(world) -> bool:
    """Says by how much less is owed."""
    total = 0
    for row in _mine(world):
        total += world.initial.one(
            "SELECT COALESCE(SUM(amount_cents), 0) AS n FROM account_lines WHERE booking_id = ? AND status = 'owed'", [row["id"]])["n"]
    return world.report.says("less_owed", total)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing but those booths and their fees."""
    ids = [row["id"] for row in _mine(world)]
    allowed = {"bookings": {"status", "cancelled_at", "price_id", "fee_cents"}, "account_lines": {"status", "note"}}
    for change in world.changes:
        before, after = change["before"], change["after"]
        if before is None or after is None or change["table"] not in allowed:
            return False
        if (before["id"] if change["table"] == "bookings" else before["booking_id"]) not in ids:
            return False
        if any(before[k] != after[k] and k not in allowed[change["table"]] for k in before):
            return False
    return True

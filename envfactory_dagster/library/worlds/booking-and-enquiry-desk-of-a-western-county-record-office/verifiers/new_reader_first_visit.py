def _reader(world):
    """The one new reader, if there is just one."""
    rows = [c["after"] for c in world.changes if c["table"] == "readers" and c["before"] is None]
    return rows[0] if len(rows) == 1 else None


def _first_day(world):
    """The day of the run by which three more pieces can have come."""
    runs = world.initial.query(
        "SELECT v.run_date, v.capacity_pieces - (SELECT count(*) FROM piece_requests q WHERE q.van_run_id = v.id AND q.status = 'listed') AS places"
        " FROM van_runs v WHERE v.status = 'planned' AND v.list_closes_at > ? ORDER BY v.run_date",
        ["2026-03-02T10:15:00"],
    )
    left = 3
    for run in runs:
        left -= max(0, run["places"])
        if left <= 0:
            return run["run_date"]
    return None


def _volumes(world):
    return [
        r["id"]
        for r in world.initial.query(
            "SELECT p.id FROM pieces p JOIN collections c ON c.id = p.collection_id"
            " WHERE c.title = ? AND p.first_year IN (1911, 1912, 1913) ORDER BY p.id",
            ["Westport Rural District Council"],
        )
    ]


def _bookings(world):
    reader = _reader(world)
    if reader is None:
        return []
    return world.final.query(
        "SELECT b.id, b.day, b.status, o.sitting, s.seat_kind FROM seat_bookings b JOIN opening_sittings o ON o.id = b.opening_sitting_id"
        " JOIN seats s ON s.id = b.seat_id WHERE b.reader_id = ? ORDER BY b.id",
        [reader["id"]],
    )


def goal_registers_her_with_a_full_ticket(world) -> bool:
    """Registered Nóra Ní Mháille with what was seen, and issued a full ticket for two years."""
    reader = _reader(world)
    if reader is None:
        return False
    row = world.final.one(
        "SELECT count(*) AS n FROM readers WHERE id = ? AND same_text(surname, ?) AND same_text(forenames, ?) AND date_of_birth = '1971-06-14'"
        " AND identity_seen = 'passport' AND address_proof_seen = 'utility_bill' AND address_proof_date = '2026-01-12'"
        " AND rules_signed_on = '2026-03-02' AND ticket_kind = 'full' AND ticket_status = 'active' AND ticket_valid_until = '2028-03-02'",
        [reader["id"], "Ní Mháille", "Nóra"],
    )
    return row["n"] == 1


def goal_keeps_her_address(world) -> bool:
    """Entered her address with its Eircode."""
    reader = _reader(world)
    if reader is None:
        return False
    row = world.final.one(
        "SELECT count(*) AS n FROM readers WHERE id = ? AND same_text(address_line, ?) AND same_text(town, ?)"
        " AND upper(replace(eircode, ' ', '')) = 'F28X4K2' AND country = 'Ireland'",
        [reader["id"], "8 Peter Street", "Westport"],
    )
    return row["n"] == 1


def goal_books_the_first_full_day(world) -> bool:
    """Booked her for the full day at a reading or map table on the first day all three can be there."""
    rows = _bookings(world)
    return (
        len(rows) == 1
        and rows[0]["day"] == _first_day(world)
        and rows[0]["sitting"] == "full_day"
        and rows[0]["status"] == "booked"
        and rows[0]["seat_kind"] in ("reading_table", "map_table")
    )


def goal_asks_for_the_three_volumes(world) -> bool:
    """Asked for the minute books of 1911, 1912 and 1913 for that booking."""
    rows = _bookings(world)
    if len(rows) != 1:
        return False
    asked = world.final.query(
        "SELECT q.piece_id, v.run_date FROM piece_requests q JOIN van_runs v ON v.id = q.van_run_id"
        " WHERE q.seat_booking_id = ? AND q.status = 'listed' ORDER BY q.piece_id",
        [rows[0]["id"]],
    )
    return [a["piece_id"] for a in asked] == _volumes(world) and all(a["run_date"] <= rows[0]["day"] for a in asked)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_adds_only_her_and_what_is_hers(world) -> bool:
    """Touched nothing but one new reader, her name's forms, one booking and three requests of hers."""
    counts = {"readers": 1, "seat_bookings": 1, "piece_requests": 3, "surname_forms": 20}
    reader = _reader(world)
    for change in world.changes:
        if change["table"] not in counts or change["before"] is not None or change["after"] is None:
            return False
        if change["table"] != "readers" and (reader is None or change["after"]["reader_id"] != reader["id"]):
            return False
    return all(sum(1 for c in world.changes if c["table"] == table) <= most for table, most in counts.items())

def _run(world):
    return world.initial.one("SELECT id FROM van_runs WHERE run_date = '2026-10-02'", [])["id"]


def _listed(world):
    return world.initial.query(
        "SELECT q.id, q.piece_id, q.reader_id, p.title FROM piece_requests q JOIN pieces p ON p.id = q.piece_id"
        " WHERE q.van_run_id = ? AND q.status = 'listed' ORDER BY q.id",
        [_run(world)],
    )


def _is_register(row):
    return row["title"] == "Clifden workhouse admission register 1852"


def _peadar(world):
    return world.initial.one("SELECT id FROM readers WHERE surname = 'Folan' AND forenames = 'Peadar'", [])["id"]


def goal_checks_the_load_in(world) -> bool:
    """Checked the run in as arrived at 10:20, with every piece on the hold shelf or handed out but the register."""
    run = world.final.one("SELECT status, arrived_at FROM van_runs WHERE id = ?", [_run(world)])
    if run["status"] != "arrived" or run["arrived_at"] != "2026-10-02T10:20:00":
        return False
    for row in _listed(world):
        if _is_register(row):
            continue
        now = world.final.one(
            "SELECT q.status, q.arrived_at, p.location FROM piece_requests q JOIN pieces p ON p.id = q.piece_id WHERE q.id = ?", [row["id"]]
        )
        if now["arrived_at"] != "2026-10-02T10:20:00" or (now["status"], now["location"]) not in (("on_hold", "hold_shelf"), ("issued", "reader_table")):
            return False
    return True


def goal_rolls_the_register_to_the_next_run(world) -> bool:
    """The register is on the list of the next run."""
    next_run = world.initial.one("SELECT id FROM van_runs WHERE status = 'planned' AND run_date > '2026-10-02' ORDER BY run_date LIMIT 1", [])["id"]
    for row in _listed(world):
        if _is_register(row):
            now = world.final.one("SELECT status, van_run_id FROM piece_requests WHERE id = ?", [row["id"]])
            if now["status"] != "listed" or now["van_run_id"] != next_run:
                return False
    return True


def goal_signs_peadar_folan_in(world) -> bool:
    """Signed Peadar Folan in today, on the seat he has booked."""
    row = world.final.one(
        "SELECT count(*) AS n FROM attendances a JOIN seat_bookings b ON b.id = a.seat_booking_id WHERE a.reader_id = ? AND a.day = '2026-10-02'"
        " AND a.signed_out_at IS NULL AND b.reader_id = a.reader_id AND b.status = 'attended'",
        [_peadar(world)],
    )
    return row["n"] == 1


def goal_hands_him_the_tithe_book(world) -> bool:
    """The Ballinahinch tithe book is issued to him."""
    row = world.final.one(
        "SELECT count(*) AS n FROM piece_requests q JOIN pieces p ON p.id = q.piece_id WHERE q.reader_id = ? AND q.status = 'issued'"
        " AND p.title = 'Ballinahinch tithe book' AND p.location = 'reader_table'",
        [_peadar(world)],
    )
    return row["n"] == 1


def goal_says_who_was_waiting(world) -> bool:
    """Says who was waiting for the register."""
    readers = [row["reader_id"] for row in _listed(world) if _is_register(row)]
    names = [world.initial.one("SELECT forenames || ' ' || surname AS name FROM readers WHERE id = ?", [r])["name"] for r in readers]
    return world.report.says("waiting_for_register", names)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_touches_only_the_load_and_his_visit(world) -> bool:
    """Touched nothing but the run, its requests and pieces, and his booking and attendance of today."""
    listed, peadar = _listed(world), _peadar(world)
    keys = {
        "van_runs": [_run(world)],
        "piece_requests": [row["id"] for row in listed],
        "pieces": [row["piece_id"] for row in listed if not _is_register(row)],
        "seat_bookings": [
            r["id"] for r in world.initial.query("SELECT id FROM seat_bookings WHERE reader_id = ? AND day = '2026-10-02' ORDER BY id", [peadar])
        ],
    }
    columns = {
        "van_runs": ("status", "arrived_at"),
        "piece_requests": ("status", "arrived_at", "held_until", "issued_at", "van_run_id"),
        "pieces": ("location",),
        "seat_bookings": ("status",),
    }
    for change in world.changes:
        table, before, after = change["table"], change["before"], change["after"]
        if table == "attendances":
            if before is not None or after["reader_id"] != peadar or after["day"] != "2026-10-02":
                return False
            continue
        if table not in keys or before is None or after is None or before["id"] not in keys[table]:
            return False
        if any(before[c] != after[c] for c in before if c not in columns[table]):
            return False
    return sum(1 for c in world.changes if c["table"] == "attendances") <= 1


def guard_hands_out_nothing_else(world) -> bool:
    """No other piece of the load is handed out, and only the register goes to another run."""
    rows = {row["id"]: row for row in _listed(world)}
    for change in world.changes:
        if change["table"] != "piece_requests" or change["after"] is None:
            continue
        row = rows.get(change["after"]["id"])
        if row is None:
            return False
        if change["after"]["status"] == "issued" and (row["title"] != "Ballinahinch tithe book" or row["reader_id"] != _peadar(world)):
            return False
        if change["after"]["van_run_id"] != _run(world) and not _is_register(row):
            return False
    return True

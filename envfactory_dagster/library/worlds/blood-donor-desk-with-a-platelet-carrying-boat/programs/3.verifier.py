COLUMNS = ("state", "block_reason", "block_note", "blocked_at", "blocked_by")


def _to_close(world):
    """Ids of the empty whole blood slots at Viña from 24 to 27 August 2026 that are not blocked."""
    rows = world.initial.query(
        "SELECT s.id FROM slots s JOIN sites t ON t.id = s.site_id WHERE t.site_code = 'vina'"
        " AND substr(s.starts_at, 1, 10) BETWEEN '2026-08-24' AND '2026-08-27' AND s.takes_whole_blood = 1"
        " AND s.state <> 'blocked' AND NOT EXISTS (SELECT 1 FROM appointments a WHERE a.slot_id = s.id"
        " AND a.state IN ('booked', 'checked_in'))"
    )
    return {r["id"] for r in rows}


def goal_closes_every_empty_whole_blood_slot(world) -> bool:
    """Every empty whole blood slot of those days is blocked for the equipment."""
    for slot in _to_close(world):
        row = world.final.one("SELECT * FROM slots WHERE id = ?", [slot])
        if row["state"] != "blocked" or row["block_reason"] != "equipment" or row["blocked_by"] != 1:
            return False
    return True


def goal_says_whom_to_ring(world) -> bool:
    """Says who is booked for whole blood at Viña on those days."""
    rows = world.initial.query(
        "SELECT d.given_names || ' ' || d.surnames AS name FROM appointments a JOIN donors d ON d.id = a.donor_id"
        " JOIN slots s ON s.id = a.slot_id JOIN sites t ON t.id = s.site_id WHERE t.site_code = 'vina'"
        " AND a.state = 'booked' AND a.kind = 'whole_blood'"
        " AND substr(s.starts_at, 1, 10) BETWEEN '2026-08-24' AND '2026-08-27' ORDER BY s.starts_at"
    )
    return world.report.says("to_ring", [r["name"] for r in rows])


def guard_closes_no_other_slot(world) -> bool:
    """Changed nothing but the state and the reason of slots that were to be closed."""
    slots = _to_close(world)
    for c in world.changes:
        if c["table"] != "slots" or c["before"] is None or c["after"] is None or c["before"]["id"] not in slots:
            return False
        if any(c["before"][k] != c["after"][k] for k in c["before"] if k not in COLUMNS):
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

SLOT_COLUMNS = ("state", "block_reason", "block_note", "blocked_at", "blocked_by")


def _closing(world):
    """The 12:00 and the 12:20 at Portales on 10 October."""
    rows = world.initial.query(
        "SELECT s.id FROM slots s JOIN sites t ON t.id = s.site_id WHERE t.site_code = 'um_portales'"
        " AND s.starts_at IN ('2026-10-10T12:00:00', '2026-10-10T12:20:00') ORDER BY s.starts_at"
    )
    return [r["id"] for r in rows]


def _marisol(world):
    """Marisol's appointment at 12:00."""
    return world.initial.one(
        "SELECT a.id, a.slot_id FROM appointments a JOIN donors d ON d.id = a.donor_id"
        " WHERE d.given_names = 'Marisol' AND d.surnames = 'Órdenes Valdebenito' AND a.state = 'booked'"
        " AND a.slot_id = ?",
        [_closing(world)[0]],
    )


def _new_start(world):
    """When her appointment begins now, if it is in a slot that was free that morning from 10:00 on."""
    row = world.final.one(
        "SELECT slot_id FROM appointments WHERE id = ? AND state = 'booked' AND kind = 'whole_blood'",
        [_marisol(world)["id"]],
    )
    if row is None:
        return None
    slot = world.initial.one(
        "SELECT s.starts_at FROM slots s JOIN sites t ON t.id = s.site_id WHERE s.id = ?"
        " AND t.site_code = 'um_portales' AND s.starts_at >= '2026-10-10T10:00:00'"
        " AND s.starts_at < '2026-10-10T12:00:00' AND s.state = 'free' AND s.places > (SELECT COUNT(*)"
        " FROM appointments a WHERE a.slot_id = s.id AND a.cancelled_at IS NULL)",
        [row["slot_id"]],
    )
    return slot["starts_at"] if slot is not None else None


def goal_marisol_is_moved(world) -> bool:
    """Marisol Órdenes is booked in a free place the same morning from 10:00 on."""
    return _new_start(world) is not None


def goal_the_noon_slot_is_closed(world) -> bool:
    """The 12:00 is closed for swell."""
    row = world.final.one("SELECT * FROM slots WHERE id = ?", [_closing(world)[0]])
    return row["state"] == "blocked" and row["block_reason"] == "swell" and row["blocked_by"] == 1


def goal_the_last_slot_is_closed(world) -> bool:
    """The 12:20 is closed for swell."""
    row = world.final.one("SELECT * FROM slots WHERE id = ?", [_closing(world)[1]])
    return row["state"] == "blocked" and row["block_reason"] == "swell" and row["blocked_by"] == 1


def goal_says_her_new_time(world) -> bool:
    """Says her new time."""
    start = _new_start(world)
    return start is not None and world.report.says("new_time", start[11:16])


def guard_changes_nothing_else(world) -> bool:
    """Touched only the two slots and Marisol's appointment, with one move of it."""
    marisol = _marisol(world)["id"]
    moves = 0
    for c in world.changes:
        before, after = c["before"], c["after"]
        if c["table"] == "slots":
            fine = before is not None and after is not None and before["id"] in _closing(world)
            fine = fine and all(before[k] == after[k] for k in before if k not in SLOT_COLUMNS)
        elif c["table"] == "appointments":
            fine = before is not None and after is not None and before["id"] == marisol
            fine = fine and all(before[k] == after[k] for k in before if k != "slot_id")
        elif c["table"] == "appointment_moves":
            fine = before is None and after["appointment_id"] == marisol and after["because_of_boat"] == 0
            moves += 1
        else:
            fine = False
        if not fine:
            return False
    return moves <= 1


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_names_no_rule(world) -> bool:
    """Names no rule as a reason."""
    return world.report.reason is None

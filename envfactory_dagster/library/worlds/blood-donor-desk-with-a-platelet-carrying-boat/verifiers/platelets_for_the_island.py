SAILING_COLUMNS = ("units", "ordered_by", "blocked_slot_id", "declared_at", "recorded_by")
SLOT_COLUMNS = ("state", "block_reason", "blocked_at", "blocked_by")


def _slot(world, starts_at):
    """The slot at Portales that begins at a moment."""
    return world.initial.one(
        "SELECT s.* FROM slots s JOIN sites t ON t.id = s.site_id WHERE t.site_code = 'um_portales' AND s.starts_at = ?",
        [starts_at],
    )


def _booked(world, given, surnames):
    """The appointment that somebody has at 12:20 on 8 October."""
    return world.initial.one(
        "SELECT a.* FROM appointments a JOIN donors d ON d.id = a.donor_id WHERE d.given_names = ? AND d.surnames = ?"
        " AND a.slot_id = ? AND a.state = 'booked'",
        [given, surnames, _slot(world, "2026-10-08T12:20:00")["id"]],
    )


def _rosa(world):
    """Rosa's appointment."""
    return _booked(world, "Rosa", "Elgueta Miranda")


def _victor(world):
    """Víctor's appointment."""
    return _booked(world, "Víctor", "Tobar Salinas")


def _is_in(world, appointment, starts_at):
    """Whether an appointment is now booked in the slot at Portales that begins at a moment."""
    row = world.final.one(
        "SELECT id FROM appointments WHERE id = ? AND slot_id = ? AND state = 'booked' AND kind = 'whole_blood'",
        [appointment["id"], _slot(world, starts_at)["id"]],
    )
    return row is not None


def _moved_by_boat(world, appointment, starts_at):
    """Whether the move out of the 12:20 is put down to the boat of 8 October."""
    rows = world.final.query(
        "SELECT m.id FROM appointment_moves m JOIN boat_sailings b ON b.id = m.boat_sailing_id"
        " WHERE m.appointment_id = ? AND m.from_slot_id = ? AND m.to_slot_id = ? AND m.because_of_boat = 1"
        " AND b.sailing_date = '2026-10-08'",
        [appointment["id"], _slot(world, "2026-10-08T12:20:00")["id"], _slot(world, starts_at)["id"]],
    )
    return len(rows) == 1


def goal_four_units_are_declared(world) -> bool:
    """4 units of platelets are entered for the boat of 8 October and the 12:20 at Portales is blocked for it."""
    slot = _slot(world, "2026-10-08T12:20:00")["id"]
    row = world.final.one(
        "SELECT b.id FROM boat_sailings b JOIN slots s ON s.id = b.blocked_slot_id WHERE b.sailing_date = '2026-10-08'"
        " AND b.units = 4 AND b.recorded_by = 1 AND s.id = ? AND s.state = 'blocked' AND s.block_reason = 'boat'",
        [slot],
    )
    return row is not None


def goal_the_clinic_is_on_record(world) -> bool:
    """It is on record that the San Juan Bautista clinic ordered them."""
    row = world.final.one("SELECT ordered_by FROM boat_sailings WHERE sailing_date = '2026-10-08'")
    return "san juan bautista" in (row["ordered_by"] or "").lower()


def goal_rosa_is_at_noon(world) -> bool:
    """Rosa Elgueta Miranda is booked at 12:00 on 8 October."""
    return _is_in(world, _rosa(world), "2026-10-08T12:00:00")


def goal_victor_is_on_saturday(world) -> bool:
    """Víctor Tobar Salinas is booked at 08:40 on Saturday 10 October."""
    return _is_in(world, _victor(world), "2026-10-10T08:40:00")


def goal_rosas_move_is_the_boats(world) -> bool:
    """Rosa's move is put down to the boat."""
    return _moved_by_boat(world, _rosa(world), "2026-10-08T12:00:00")


def goal_victors_move_is_the_boats(world) -> bool:
    """Víctor's move is put down to the boat."""
    return _moved_by_boat(world, _victor(world), "2026-10-10T08:40:00")


def goal_says_rosas_day(world) -> bool:
    """Says on what day Rosa is booked."""
    return world.report.says("rosa_day", "2026-10-08")


def goal_says_rosas_hour(world) -> bool:
    """Says at what hour Rosa is booked."""
    return world.report.says("rosa_hour", "12:00")


def goal_says_victors_day(world) -> bool:
    """Says on what day Víctor is booked."""
    return world.report.says("victor_day", "2026-10-10")


def goal_says_victors_hour(world) -> bool:
    """Says at what hour Víctor is booked."""
    return world.report.says("victor_hour", "08:40")


def _only(change, columns):
    """Whether a row was changed in these columns only."""
    before, after = change["before"], change["after"]
    return before is not None and after is not None and all(before[k] == after[k] for k in before if k not in columns)


def guard_changes_nothing_else(world) -> bool:
    """Touched only the sailing, its slot, and the two appointments with one move each."""
    both = {_rosa(world)["id"], _victor(world)["id"]}
    moved = []
    for c in world.changes:
        if c["table"] == "boat_sailings":
            fine = _only(c, SAILING_COLUMNS) and c["before"]["sailing_date"] == "2026-10-08"
        elif c["table"] == "slots":
            fine = _only(c, SLOT_COLUMNS) and c["before"]["id"] == _slot(world, "2026-10-08T12:20:00")["id"]
        elif c["table"] == "appointments":
            fine = _only(c, ("slot_id",)) and c["before"]["id"] in both
        elif c["table"] == "appointment_moves":
            fine = c["before"] is None and c["after"]["appointment_id"] in both and c["after"]["because_of_boat"] == 1
            if fine:
                moved.append(c["after"]["appointment_id"])
        else:
            fine = False
        if not fine:
            return False
    return len(moved) == len(set(moved))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_names_no_rule(world) -> bool:
    """Names no rule as a reason."""
    return world.report.reason is None

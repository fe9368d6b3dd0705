def _corer_loan(world):
    """The loan on which Sofia Berglund's project has the gravity corer out."""
    return world.initial.one(
        "SELECT b.id AS id, b.equipment_id AS equipment_id FROM bookings b JOIN equipment e ON e.id = b.equipment_id"
        " JOIN projects j ON j.id = b.project_id JOIN people p ON p.id = j.leader_id"
        " WHERE p.name = ? AND e.kind = 'gravity_corer' AND b.status = 'out'",
        ["Sofia Berglund"],
    )


def _corer_booking(world):
    """The booking of the same corer from today by Mikko Rautio's project."""
    return world.initial.one(
        "SELECT b.id AS id FROM bookings b JOIN projects j ON j.id = b.project_id JOIN people p ON p.id = j.leader_id"
        " WHERE p.name = ? AND b.equipment_id = ? AND b.status = 'booked' AND b.from_on = ?",
        ["Mikko Rautio", _corer_loan(world)["equipment_id"], "2026-03-03"],
    )


def _belt_note(world):
    """The open breakdown note about the drive belt of the long-track snowmobile."""
    return world.initial.one(
        "SELECT n.id AS id FROM notes n JOIN equipment e ON e.id = n.equipment_id"
        " WHERE e.name = ? AND n.kind = 'breakdown' AND n.status = 'open' AND n.text LIKE ?",
        ["Long-track snowmobile", "%drive belt%"],
    )


def _new_notes(world):
    return [
        change["after"] for change in world.changes if change["table"] == "notes" and change["before"] is None
    ]


def goal_corer_is_taken_back(world) -> bool:
    """The gravity corer is back from Sofia Berglund's project."""
    row = world.final.one("SELECT status FROM bookings WHERE id = ?", [_corer_loan(world)["id"]])
    return row is not None and row["status"] == "back"


def goal_corer_is_handed_out(world) -> bool:
    """The gravity corer is out on the booking of Mikko Rautio's project."""
    row = world.final.one("SELECT status FROM bookings WHERE id = ?", [_corer_booking(world)["id"]])
    return row is not None and row["status"] == "out"


def goal_handover_note_is_filed(world) -> bool:
    """One handover note about the top valve is filed with the corer as it changed hands."""
    loans = (_corer_loan(world)["id"], _corer_booking(world)["id"])
    notes = _new_notes(world)
    return (
        len(notes) == 1
        and notes[0]["kind"] == "handover"
        and notes[0]["equipment_id"] == _corer_loan(world)["equipment_id"]
        and notes[0]["booking_id"] in loans
        and bool(
            world.same_text(
                notes[0]["text"], "The top valve sticks below -20 degrees and wants warming before use."
            )
        )
    )


def goal_belt_note_is_closed(world) -> bool:
    """The breakdown note about the drive belt is closed."""
    row = world.final.one("SELECT status FROM notes WHERE id = ?", [_belt_note(world)["id"]])
    return row is not None and row["status"] == "closed"


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule as a reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_files_no_other_note(world) -> bool:
    """Wrote at most one note, a handover note on the corer."""
    notes = _new_notes(world)
    corer = _corer_loan(world)["equipment_id"]
    return len(notes) <= 1 and all(one["kind"] == "handover" and one["equipment_id"] == corer for one in notes)


def guard_closes_no_other_note(world) -> bool:
    """Of the notes that were there, only the one about the drive belt changed, and was only closed."""
    belt = _belt_note(world)["id"]
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "notes" or before is None:
            continue
        if after is None or before["id"] != belt:
            return False
        if any(after[name] != before[name] for name in before if name not in ("status", "closed_at")):
            return False
    return True


def guard_changes_no_other_booking(world) -> bool:
    """Only the corer changed hands: the snowmobile, on which another note stands open, was not handed out."""
    loan = _corer_loan(world)["id"]
    booking = _corer_booking(world)["id"]
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "bookings":
            continue
        if before is None or after is None or before["id"] not in (loan, booking):
            return False
        moment = "back_at" if before["id"] == loan else "out_at"
        if any(after[name] != before[name] for name in before if name not in ("status", moment)):
            return False
    return True


def guard_changes_no_other_table(world) -> bool:
    """Touched nothing but bookings and notes."""
    return all(change["table"] in ("bookings", "notes") for change in world.changes)

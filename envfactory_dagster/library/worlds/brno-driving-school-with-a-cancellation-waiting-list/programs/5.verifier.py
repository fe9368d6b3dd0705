HAVE = 550000


def _due(world):
    """What is outstanding of the pupil's charges due before 6 November."""
    return world.initial.one(
        "SELECT SUM(c.amount_cents - c.credited_cents - (SELECT COALESCE(SUM(p.amount_cents), 0) FROM payments p"
        " WHERE p.charge_id = c.id)) AS cents FROM charges c WHERE c.pupil_id = 1 AND c.due_on < '2025-11-06'"
    )["cents"]


def _lesson(world):
    return world.initial.one(
        "SELECT * FROM driving_lessons WHERE pupil_id = 1 AND status = 'cancelled' AND ended_by = 'pupil'"
        " AND substr(starts_at, 1, 10) = '2025-10-20'"
    )


def _fee(world):
    return world.initial.one("SELECT * FROM charges WHERE driving_lesson_id = ?", [_lesson(world)["id"]])


def _session(world):
    return world.initial.one(
        "SELECT * FROM simulator_sessions WHERE pupil_id = 1 AND status = 'booked' AND substr(starts_at, 1, 10) = '2025-10-30'"
    )


def _session_charge(world):
    return world.initial.one("SELECT * FROM charges WHERE simulator_session_id = ?", [_session(world)["id"]])


def _after_note(world):
    fee = _fee(world)
    return _due(world) - (fee["amount_cents"] - fee["credited_cents"])


def _note_due(world):
    return _due(world) > HAVE


def _session_due(world):
    return _note_due(world) and _after_note(world) > HAVE


def goal_hands_in_the_note(world) -> bool:
    """The doctor's note of 20 October is handed in for the lesson of that day and its fee is credited in full."""
    fee = world.final.one("SELECT * FROM charges WHERE id = ?", [_fee(world)["id"]])
    notes = [c["after"] for c in world.changes if c["table"] == "pupil_documents" and c["before"] is None]
    return _note_due(world) and len(notes) == 1 and notes[0]["pupil_id"] == 1 and notes[0]["kind"] == "doctors_note" and (
        notes[0]["driving_lesson_id"] == _lesson(world)["id"] and notes[0]["dated_on"] == "2025-10-20"
        and fee["credited_cents"] == fee["amount_cents"] and fee["credit_reason"] == "doctors_note"
    )


def goal_cancels_the_simulator_hour(world) -> bool:
    """The simulator hour of 30 October is cancelled and its charge credited, since the note alone is not enough."""
    session = world.final.one("SELECT * FROM simulator_sessions WHERE id = ?", [_session(world)["id"]])
    charge = world.final.one("SELECT * FROM charges WHERE id = ?", [_session_charge(world)["id"]])
    return _session_due(world) and session["status"] == "cancelled" and charge["credited_cents"] == charge["amount_cents"] and (
        charge["credit_reason"] == "cancelled_in_time"
    )


def goal_says_by_how_much_it_is_over(world) -> bool:
    """Says by how much the amounts due exceed what there is."""
    return world.report.says("over_by", _due(world) - HAVE if _note_due(world) else None)


def goal_says_what_is_left(world) -> bool:
    """Says how much will be left."""
    total = _after_note(world) if _note_due(world) else _due(world)
    if _session_due(world):
        charge = _session_charge(world)
        total -= charge["amount_cents"] - charge["credited_cents"]
    return world.report.says("left_over", HAVE - total if total <= HAVE else None)


def guard_changes_nothing_else(world) -> bool:
    """Nothing changes but one new note, the credit of the two charges and the status of the simulator hour."""
    for change in world.changes:
        if change["table"] == "pupil_documents" and change["before"] is None:
            continue
        if change["before"] is None or change["after"] is None:
            return False
        if change["table"] == "charges" and change["before"]["id"] in (_fee(world)["id"], _session_charge(world)["id"]):
            columns = ("credited_cents", "credited_at", "credit_reason")
        elif change["table"] == "simulator_sessions" and change["before"]["id"] == _session(world)["id"]:
            columns = ("status", "cancelled_at")
        else:
            return False
        if any(change["before"][k] != change["after"][k] and k not in columns for k in change["before"]):
            return False
    return sum(1 for change in world.changes if change["table"] == "pupil_documents") <= 1


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

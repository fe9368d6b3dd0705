def _charge(world):
    """The fee for the lesson that was cancelled on 6 November."""
    return world.initial.one(
        "SELECT c.* FROM charges c JOIN driving_lessons l ON l.id = c.driving_lesson_id WHERE c.pupil_id = 1"
        " AND c.kind = 'lesson_cancelled' AND l.status = 'cancelled' AND substr(l.cancelled_at, 1, 10) = ?", ["2025-11-06"]
    )


def _owed(world):
    return world.initial.one(
        "SELECT SUM(c.amount_cents - c.credited_cents - (SELECT COALESCE(SUM(p.amount_cents), 0) FROM payments p"
        " WHERE p.charge_id = c.id)) AS cents FROM charges c WHERE c.pupil_id = 1"
    )["cents"]


def goal_note_is_handed_in(world) -> bool:
    """Exactly one doctor's note of 6 November is handed in for that lesson."""
    rows = world.final.query(
        "SELECT dated_on, pupil_id FROM pupil_documents WHERE kind = 'doctors_note' AND driving_lesson_id = ?",
        [_charge(world)["driving_lesson_id"]],
    )
    return len(rows) == 1 and rows[0]["dated_on"] == "2025-11-06" and rows[0]["pupil_id"] == 1


def goal_fee_is_turned_into_credit(world) -> bool:
    """The whole fee is credited because of the note."""
    row = world.final.one("SELECT * FROM charges WHERE id = ?", [_charge(world)["id"]])
    return row["credited_cents"] == row["amount_cents"] and row["credit_reason"] == "doctors_note"


def goal_says_what_is_still_owed(world) -> bool:
    """Has told what is owed once the fee is credited."""
    charge = _charge(world)
    return world.report.says("still_owed", _owed(world) - (charge["amount_cents"] - charge["credited_cents"]))


def goal_says_how_many_notes_are_left(world) -> bool:
    """Has told how often a doctor's note can still be used, of two in all."""
    row = world.initial.one("SELECT COUNT(*) AS n FROM pupil_documents WHERE pupil_id = 1 AND kind = 'doctors_note'")
    return world.report.says("notes_left", 2 - row["n"] - 1)


def guard_changes_nothing_else(world) -> bool:
    """Touched only one new note of the pupil's and the credit of that fee."""
    counts = {"pupil_documents": 0, "charges": 0}
    for change in world.changes:
        if change["table"] not in counts or change["after"] is None:
            return False
        counts[change["table"]] += 1
        if change["table"] == "pupil_documents":
            if change["before"] is not None or change["after"]["pupil_id"] != 1:
                return False
        elif change["before"] is None or change["before"]["id"] != _charge(world)["id"] or any(
            change["before"][name] != change["after"][name] and name not in ("credited_cents", "credited_at", "credit_reason")
            for name in change["before"]
        ):
            return False
    return all(count <= 1 for count in counts.values())


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

def _place(world):
    return world.initial.one(
        "SELECT e.* FROM exam_places e JOIN exam_blocks b ON b.id = e.exam_block_id WHERE e.pupil_id = 1"
        " AND e.status = 'pencilled' AND b.kind = 'theory' AND b.calendar_day = ?", ["2025-11-13"]
    )


def _aid_day(world):
    """8 November if it has a place left, otherwise 6 December."""
    first = world.initial.one(
        "SELECT d.id, d.places, (SELECT COUNT(*) FROM first_aid_bookings b WHERE b.first_aid_day_id = d.id"
        " AND b.status <> 'cancelled') AS taken FROM first_aid_days d WHERE d.calendar_day = ?", ["2025-11-08"]
    )
    if first["taken"] < first["places"]:
        return first["id"]
    return world.initial.one("SELECT id FROM first_aid_days WHERE calendar_day = ?", ["2025-12-06"])["id"]


def _new(world, table):
    return [change["after"] for change in world.changes if change["table"] == table and change["before"] is None]


def goal_theory_place_is_confirmed(world) -> bool:
    """The place in the theory exam of 13 November is confirmed."""
    row = world.final.one("SELECT status FROM exam_places WHERE id = ?", [_place(world)["id"]])
    return row["status"] == "confirmed"


def goal_is_signed_up_for_first_aid(world) -> bool:
    """Is signed up for the right first aid Saturday, and for no other."""
    rows = world.final.query("SELECT first_aid_day_id FROM first_aid_bookings WHERE pupil_id = 1 AND status = 'booked'")
    return [row["first_aid_day_id"] for row in rows] == [_aid_day(world)]


def goal_has_one_simulator_hour_after_three(world) -> bool:
    """Has exactly one simulator hour on Monday 3 November, after 15:00."""
    rows = world.final.query(
        "SELECT starts_at FROM simulator_sessions WHERE pupil_id = 1 AND status = 'booked' AND substr(starts_at, 1, 10) = ?",
        ["2025-11-03"],
    )
    return len(rows) == 1 and rows[0]["starts_at"][11:16] >= "15:00"


def guard_changes_nothing_else(world) -> bool:
    """Touched only the exam place, one first aid booking, one simulator hour and the charge for that hour."""
    counts = {}
    for change in world.changes:
        table = change["table"]
        counts[table] = counts.get(table, 0) + 1
        if change["after"] is None:
            return False
        if table == "exam_places":
            if change["before"] is None or change["before"]["id"] != _place(world)["id"] or any(
                change["before"][name] != change["after"][name] and name not in ("status", "confirmed_at")
                for name in change["before"]
            ):
                return False
        elif table in ("first_aid_bookings", "simulator_sessions"):
            if change["before"] is not None or change["after"]["pupil_id"] != 1:
                return False
        elif table == "charges":
            sessions = [row["id"] for row in _new(world, "simulator_sessions")]
            row = change["after"]
            if change["before"] is not None or row["pupil_id"] != 1 or row["kind"] != "simulator" or row["amount_cents"] != 35000 or (
                row["simulator_session_id"] not in sessions or row["credited_cents"] != 0
            ):
                return False
        else:
            return False
    return all(count <= 1 for count in counts.values())


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

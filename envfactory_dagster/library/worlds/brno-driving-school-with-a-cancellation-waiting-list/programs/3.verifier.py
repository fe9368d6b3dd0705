import datetime

NOW, TODAY, LAST = "2025-10-24T11:00:00", "2025-10-24", "2025-10-31"


def _notice_hours(world, starts_at):
    """Hours from now to the start, without Sundays and public holidays."""
    rows = world.initial.query("SELECT day FROM calendar_days WHERE is_public_holiday = 1")
    holidays = {row["day"] for row in rows}
    at, end, seconds = datetime.datetime.fromisoformat(NOW), datetime.datetime.fromisoformat(starts_at), 0
    while at < end:
        midnight = datetime.datetime.combine(at.date() + datetime.timedelta(days=1), datetime.time())
        until = min(midnight, end)
        if at.weekday() != 6 and at.date().isoformat() not in holidays:
            seconds += (until - at).total_seconds()
        at = until
    return seconds / 3600


def _lessons(world, free):
    """The booked lessons of these days that are free to cancel, or those that are not."""
    rows = world.initial.query(
        "SELECT * FROM driving_lessons WHERE pupil_id = 1 AND status = 'booked'"
        " AND substr(starts_at, 1, 10) BETWEEN ? AND ? ORDER BY id", [TODAY, LAST]
    )
    return [row for row in rows if (_notice_hours(world, row["starts_at"]) > 48) == free]


def _sessions(world, free):
    """The booked simulator hours of these days that are free to cancel, or those that are not."""
    rows = world.initial.query(
        "SELECT * FROM simulator_sessions WHERE pupil_id = 1 AND status = 'booked'"
        " AND substr(starts_at, 1, 10) BETWEEN ? AND ? ORDER BY id", [TODAY, LAST]
    )
    return [row for row in rows if (row["starts_at"][:10] > TODAY) == free]


def _offers(world):
    return world.initial.query(
        "SELECT o.id, o.waiting_list_entry_id FROM lesson_offers o JOIN driving_lessons l ON l.id = o.freed_driving_lesson_id"
        " WHERE o.pupil_id = 1 AND o.status = 'open' AND substr(l.starts_at, 1, 10) BETWEEN ? AND ? ORDER BY o.id", [TODAY, LAST]
    )


def _credits(world):
    """The charges of the simulator hours that are cancelled in time."""
    return world.initial.query(
        "SELECT c.id, c.amount_cents FROM charges c JOIN json_each(?) j ON j.value = c.simulator_session_id ORDER BY c.id",
        ["[" + ",".join(str(row["id"]) for row in _sessions(world, True)) + "]"]
    )


def _days(rows):
    return sorted({row["starts_at"][:10] for row in rows})


def goal_cancels_the_free_lessons(world) -> bool:
    """Every lesson of these days that is free to cancel is cancelled by the pupil."""
    rows = [world.final.one("SELECT * FROM driving_lessons WHERE id = ?", [row["id"]]) for row in _lessons(world, True)]
    return bool(rows) and all(row["status"] == "cancelled" and row["ended_by"] == "pupil" for row in rows)


def goal_cancels_the_free_simulator_hours(world) -> bool:
    """Every simulator hour that is free to cancel is cancelled and its charge credited."""
    rows = [world.final.one("SELECT * FROM simulator_sessions WHERE id = ?", [row["id"]]) for row in _sessions(world, True)]
    charges = [world.final.one("SELECT * FROM charges WHERE id = ?", [row["id"]]) for row in _credits(world)]
    return bool(rows) and all(row["status"] == "cancelled" for row in rows) and all(
        row["credited_cents"] == row["amount_cents"] and row["credit_reason"] == "cancelled_in_time" for row in charges
    )


def goal_turns_down_the_offers(world) -> bool:
    """Every open offer for these days is declined and its waiting list entry waits again."""
    rows = _offers(world)
    return bool(rows) and all(
        world.final.one("SELECT status FROM lesson_offers WHERE id = ?", [row["id"]])["status"] == "declined"
        and world.final.one(
            "SELECT status FROM waiting_list_entries WHERE id = ?", [row["waiting_list_entry_id"]])["status"] == "waiting"
        for row in rows
    )


def goal_says_the_cancelled_days(world) -> bool:
    """Says on which days something was cancelled."""
    return world.report.says("cancelled_days", _days(_lessons(world, True) + _sessions(world, True)))


def goal_says_the_kept_days(world) -> bool:
    """Says on which days something still stands."""
    return world.report.says("kept_days", _days(_lessons(world, False) + _sessions(world, False)))


def guard_changes_nothing_else(world) -> bool:
    """Only these lessons, simulator hours, their charges, the offers and their entries change, in the columns that follow."""
    allowed = {
        "driving_lessons": ([row["id"] for row in _lessons(world, True)], ("status", "ended_by", "cancelled_at")),
        "simulator_sessions": ([row["id"] for row in _sessions(world, True)], ("status", "cancelled_at")),
        "charges": ([row["id"] for row in _credits(world)], ("credited_cents", "credited_at", "credit_reason")),
        "lesson_offers": ([row["id"] for row in _offers(world)], ("status", "answered_at")),
        "waiting_list_entries": ([row["waiting_list_entry_id"] for row in _offers(world)], ("status",)),
    }
    for change in world.changes:
        if change["table"] not in allowed or change["before"] is None or change["after"] is None:
            return False
        ids, columns = allowed[change["table"]]
        if change["before"]["id"] not in ids:
            return False
        if any(change["before"][c] != change["after"][c] and c not in columns for c in change["before"]):
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

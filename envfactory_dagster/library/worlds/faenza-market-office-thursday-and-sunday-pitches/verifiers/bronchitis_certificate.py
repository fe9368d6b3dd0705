def _absence(world, day):
    """The user's absence on a day that the certificate covers."""
    return world.initial.one(
        "SELECT p.id AS id FROM presences p JOIN market_days m ON m.id = p.market_day_id JOIN concessions c ON c.id = p.concession_id"
        " WHERE c.trader_id = 1 AND m.held_on = ? AND p.status = 'absent'",
        [day],
    )["id"]


def _excused(world, day):
    presence_id = _absence(world, day)
    before = world.initial.one("SELECT count(*) AS n FROM absence_excuses WHERE presence_id = ?", [presence_id])["n"]
    row = world.final.one(
        "SELECT count(*) AS n FROM absence_excuses WHERE presence_id = ? AND reason = 'illness' AND proof = 'medical_certificate'"
        " AND same_text(proof_issued_by, ?) AND proof_dated_on = '2026-03-20' AND status = 'sent'",
        [presence_id, "Dr.ssa Bertoni"],
    )
    return before == 0 and row["n"] == 1


def _unexcused(world, weekday):
    return world.initial.one(
        "SELECT count(*) AS n FROM presences p JOIN market_days m ON m.id = p.market_day_id JOIN concessions c ON c.id = p.concession_id"
        " WHERE c.trader_id = 1 AND c.ended_on IS NULL AND c.weekday = ? AND p.status = 'absent' AND m.absences_count = 1 AND substr(m.held_on, 1, 4) = '2026'",
        [weekday],
    )["n"]


def goal_certificate_sent_for_the_thursday(world) -> bool:
    """The certificate has been sent in for Thursday 26 March."""
    return _excused(world, "2026-03-26")


def goal_certificate_sent_for_the_sunday(world) -> bool:
    """The certificate has been sent in for Sunday 29 March."""
    return _excused(world, "2026-03-29")


def goal_says_the_unexcused_thursdays(world) -> bool:
    """Says how many unexcused absences stand on Thursdays; what has only been sent in still counts."""
    return world.report.says("unexcused_thursdays", _unexcused(world, "thursday"))


def goal_says_the_unexcused_sundays(world) -> bool:
    """Says how many unexcused absences stand on Sundays; what has only been sent in still counts."""
    return world.report.says("unexcused_sundays", _unexcused(world, "sunday"))


def guard_sends_nothing_else(world) -> bool:
    """Added at most one illness excuse for each of the two days that can still be excused, and touched nothing else."""
    open_days = [_absence(world, "2026-03-26"), _absence(world, "2026-03-29")]
    for change in world.changes:
        after = change["after"]
        if change["table"] != "absence_excuses" or change["before"] is not None:
            return False
        if after["presence_id"] not in open_days or after["reason"] != "illness" or after["proof"] != "medical_certificate":
            return False
        if after["status"] != "sent" or after["decided_on"] is not None:
            return False
        open_days.remove(after["presence_id"])
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, on the ground of no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None

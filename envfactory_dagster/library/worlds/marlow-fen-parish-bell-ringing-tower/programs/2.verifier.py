def _practice(world, heaviest):
    rows = world.initial.query(
        "SELECT s.id AS id, substr(s.starts_at, 1, 10) AS day, b.weight_kg AS weight"
        " FROM session_places p"
        " JOIN ringing_sessions s ON s.id = p.ringing_session_id"
        " JOIN methods m ON m.id = s.method_id"
        " JOIN bells b ON b.id = p.bell_id"
        " WHERE p.ringer_id = 1 AND p.status = 'rung' AND s.kind = 'practice' AND m.name = 'Grandsire Doubles'"
        " AND substr(s.starts_at, 1, 10) BETWEEN '2026-02-01' AND '2026-03-31'"
        " ORDER BY b.weight_kg"
    )
    return rows[-1] if heaviest else rows[0]


def _number_six(world, session_id):
    row = world.initial.one(
        "SELECT r.name AS name FROM session_places p"
        " JOIN ringers r ON r.id = p.ringer_id"
        " JOIN bells b ON b.id = p.bell_id"
        " WHERE p.ringing_session_id = ? AND b.number = 6 AND p.status IN ('taken', 'rung')",
        (session_id,),
    )
    return row["name"] if row else None


def goal_says_day_of_heaviest_bell(world) -> bool:
    """Says on which day the user rang the heaviest bell."""
    return world.report.says("heaviest_day", _practice(world, True)["day"])


def goal_says_who_rang_number_six_on_heaviest_day(world) -> bool:
    """Says who rang the number 6 at the practice with the user's heaviest bell."""
    return world.report.says("heaviest_day_number_six", _number_six(world, _practice(world, True)["id"]))


def goal_says_day_of_lightest_bell(world) -> bool:
    """Says on which day the user rang the lightest bell."""
    return world.report.says("lightest_day", _practice(world, False)["day"])


def goal_says_who_rang_number_six_on_lightest_day(world) -> bool:
    """Says who rang the number 6 at the practice with the user's lightest bell."""
    return world.report.says("lightest_day_number_six", _number_six(world, _practice(world, False)["id"]))


def goal_says_weight_difference(world) -> bool:
    """Says how many kilograms the heaviest and the lightest bell are apart."""
    difference = _practice(world, True)["weight"] - _practice(world, False)["weight"]
    return world.report.says("weight_difference", difference)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return len(world.changes) == 0

def _last_day(world, skill):
    row = world.initial.one(
        "SELECT q.last_day FROM qualifications q JOIN skills s ON s.id = q.skill_id"
        " WHERE q.member_id = 1 AND s.name = ? AND q.last_day >= ? AND q.last_day <= ?",
        [skill, "2026-02-05", "2026-04-30"],
    )
    return row["last_day"] if row else None


def _next_exercise(world, skill):
    if _last_day(world, skill) is None:
        return None
    return world.initial.one(
        "SELECT substr(e.starts_at, 1, 10) AS day, e.most_places > (SELECT count(*) FROM exercise_places p"
        " WHERE p.exercise_id = e.id AND p.status <> 'given_up') AS has_room"
        " FROM exercises e JOIN skills s ON s.id = e.skill_id"
        " WHERE s.name = ? AND e.status = 'planned' AND e.starts_at > ? ORDER BY e.starts_at LIMIT 1",
        [skill, "2026-02-05T09:00:00"],
    )


def goal_says_avalanche_rescue_last_day(world) -> bool:
    """Has told on which day the Avalanche rescue qualification ends."""
    return world.report.outcome is not None and world.report.says("avalanche_rescue_last_day", _last_day(world, "Avalanche rescue"))


def goal_says_avalanche_rescue_next_exercise_day(world) -> bool:
    """Has told the day of the next Avalanche rescue exercise."""
    row = _next_exercise(world, "Avalanche rescue")
    day = row["day"] if row else None
    return world.report.outcome is not None and world.report.says("avalanche_rescue_next_exercise_day", day)


def goal_says_avalanche_rescue_place_free(world) -> bool:
    """Has told whether that Avalanche rescue exercise has a place free."""
    row = _next_exercise(world, "Avalanche rescue")
    free = row["has_room"] == 1 if row else None
    return world.report.outcome is not None and world.report.says("avalanche_rescue_place_free", free)


def goal_says_rope_rescue_last_day(world) -> bool:
    """Has told on which day the Rope rescue qualification ends."""
    return world.report.outcome is not None and world.report.says("rope_rescue_last_day", _last_day(world, "Rope rescue"))


def goal_says_rope_rescue_next_exercise_day(world) -> bool:
    """Has told the day of the next Rope rescue exercise."""
    row = _next_exercise(world, "Rope rescue")
    day = row["day"] if row else None
    return world.report.outcome is not None and world.report.says("rope_rescue_next_exercise_day", day)


def goal_says_rope_rescue_place_free(world) -> bool:
    """Has told whether that Rope rescue exercise has a place free."""
    row = _next_exercise(world, "Rope rescue")
    free = row["has_room"] == 1 if row else None
    return world.report.outcome is not None and world.report.says("rope_rescue_place_free", free)


def goal_says_stretcher_lowering_last_day(world) -> bool:
    """Has told on which day the Stretcher lowering qualification ends."""
    return world.report.outcome is not None and world.report.says("stretcher_lowering_last_day", _last_day(world, "Stretcher lowering"))


def goal_says_stretcher_lowering_next_exercise_day(world) -> bool:
    """Has told the day of the next Stretcher lowering exercise."""
    row = _next_exercise(world, "Stretcher lowering")
    day = row["day"] if row else None
    return world.report.outcome is not None and world.report.says("stretcher_lowering_next_exercise_day", day)


def goal_says_stretcher_lowering_place_free(world) -> bool:
    """Has told whether that Stretcher lowering exercise has a place free."""
    row = _next_exercise(world, "Stretcher lowering")
    free = row["has_room"] == 1 if row else None
    return world.report.outcome is not None and world.report.says("stretcher_lowering_place_free", free)


def goal_says_first_aid_last_day(world) -> bool:
    """Has told no last day for First aid, which does not run out in that time."""
    return world.report.outcome is not None and world.report.says("first_aid_last_day", _last_day(world, "First aid"))


def goal_says_first_aid_next_exercise_day(world) -> bool:
    """Has told no exercise for First aid."""
    row = _next_exercise(world, "First aid")
    day = row["day"] if row else None
    return world.report.outcome is not None and world.report.says("first_aid_next_exercise_day", day)


def goal_says_first_aid_place_free(world) -> bool:
    """Has told nothing about places for First aid."""
    row = _next_exercise(world, "First aid")
    free = row["has_room"] == 1 if row else None
    return world.report.outcome is not None and world.report.says("first_aid_place_free", free)


def goal_says_navigation_last_day(world) -> bool:
    """Has told no last day for Navigation, which does not run out in that time."""
    return world.report.outcome is not None and world.report.says("navigation_last_day", _last_day(world, "Navigation"))


def goal_says_navigation_next_exercise_day(world) -> bool:
    """Has told no exercise for Navigation."""
    row = _next_exercise(world, "Navigation")
    day = row["day"] if row else None
    return world.report.outcome is not None and world.report.says("navigation_next_exercise_day", day)


def goal_says_navigation_place_free(world) -> bool:
    """Has told nothing about places for Navigation."""
    row = _next_exercise(world, "Navigation")
    free = row["has_room"] == 1 if row else None
    return world.report.outcome is not None and world.report.says("navigation_place_free", free)


def goal_says_radio_operation_last_day(world) -> bool:
    """Has told no last day for Radio operation, which does not run out in that time."""
    return world.report.outcome is not None and world.report.says("radio_operation_last_day", _last_day(world, "Radio operation"))


def goal_says_radio_operation_next_exercise_day(world) -> bool:
    """Has told no exercise for Radio operation."""
    row = _next_exercise(world, "Radio operation")
    day = row["day"] if row else None
    return world.report.outcome is not None and world.report.says("radio_operation_next_exercise_day", day)


def goal_says_radio_operation_place_free(world) -> bool:
    """Has told nothing about places for Radio operation."""
    row = _next_exercise(world, "Radio operation")
    free = row["has_room"] == 1 if row else None
    return world.report.outcome is not None and world.report.says("radio_operation_place_free", free)


def goal_says_how_many_exercise_places_are_held(world) -> bool:
    """Has told on how many exercises still to come the user holds a place."""
    row = world.initial.one(
        "SELECT count(*) AS n FROM exercise_places p JOIN exercises e ON e.id = p.exercise_id"
        " WHERE p.member_id = 1 AND p.status = 'taken' AND e.status = 'planned' AND e.starts_at > ?",
        ["2026-02-05T09:00:00"],
    )
    return world.report.says("exercise_places_held", row["n"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing(world) -> bool:
    """Changed no row."""
    return world.changes == []

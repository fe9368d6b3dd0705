def _avalanche_place(world):
    """The user's place on the avalanche exercise on 22 February at the start."""
    return world.initial.one(
        "SELECT p.id, p.exercise_id FROM exercise_places p JOIN exercises e ON e.id = p.exercise_id"
        " JOIN skills s ON s.id = e.skill_id"
        " WHERE p.member_id = 1 AND p.status = 'taken' AND s.name = ? AND substr(e.starts_at, 1, 10) = ?",
        ["Avalanche rescue", "2026-02-22"],
    )


def goal_place_on_the_avalanche_exercise_is_given_up(world) -> bool:
    """Has given up the place on the avalanche exercise on 22 February."""
    place = _avalanche_place(world)
    row = world.final.one("SELECT status FROM exercise_places WHERE id = ? AND member_id = 1", [place["id"]])
    held = world.final.one(
        "SELECT count(*) AS n FROM exercise_places WHERE exercise_id = ? AND member_id = 1 AND status <> 'given_up'",
        [place["exercise_id"]],
    )
    return row is not None and row["status"] == "given_up" and held["n"] == 0


def goal_has_one_place_on_the_right_stretcher_exercise(world) -> bool:
    """Has one place on a stretcher lowering exercise in March, on the Saturday with room, or else the earliest other
    day with room."""
    right = world.initial.one(
        "SELECT e.id FROM exercises e JOIN skills s ON s.id = e.skill_id"
        " WHERE s.name = ? AND e.status = 'planned' AND e.starts_at >= ? AND e.starts_at < ?"
        " AND e.most_places > (SELECT count(*) FROM exercise_places p"
        "  WHERE p.exercise_id = e.id AND p.status <> 'given_up')"
        " ORDER BY strftime('%w', e.starts_at) = '6' DESC, e.starts_at LIMIT 1",
        ["Stretcher lowering", "2026-03-01T00:00:00", "2026-04-01T00:00:00"],
    )
    mine = world.final.query(
        "SELECT p.exercise_id FROM exercise_places p JOIN exercises e ON e.id = p.exercise_id"
        " JOIN skills s ON s.id = e.skill_id"
        " WHERE p.member_id = 1 AND p.status = 'taken' AND s.name = ? AND e.starts_at >= ? AND e.starts_at < ?",
        ["Stretcher lowering", "2026-03-01T00:00:00", "2026-04-01T00:00:00"],
    )
    return len(mine) == 1 and mine[0]["exercise_id"] == right["id"]


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but the place given up and one new place of the user."""
    given_up = _avalanche_place(world)["id"]
    new = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "exercise_places" or after is None:
            return False
        if before is None:
            new += 1
            if after["member_id"] != 1 or after["status"] != "taken":
                return False
        else:
            columns = {name for name in after if after[name] != before[name]}
            if before["id"] != given_up or after["status"] != "given_up" or columns != {"status", "given_up_at"}:
                return False
    return new <= 1

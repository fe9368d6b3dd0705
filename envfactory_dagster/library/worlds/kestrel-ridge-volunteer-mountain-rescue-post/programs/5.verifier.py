def goal_says_free_rope_rescue(world) -> bool:
    """Says how many places are free on rope rescue exercises until 30 April."""
    free = world.initial.one(
        "SELECT sum(e.most_places - (SELECT count(*) FROM exercise_places p"
        " WHERE p.exercise_id = e.id AND p.status <> 'given_up')) AS n"
        " FROM exercises e JOIN skills s ON s.id = e.skill_id"
        " WHERE s.name = ? AND e.status = 'planned' AND e.starts_at > '2026-02-05' AND e.starts_at < '2026-05-01'",
        ("Rope rescue",),
    )["n"]
    return world.report.says("free_rope_rescue", free)


def goal_says_free_stretcher_lowering(world) -> bool:
    """Says how many places are free on stretcher lowering exercises until 30 April."""
    free = world.initial.one(
        "SELECT sum(e.most_places - (SELECT count(*) FROM exercise_places p"
        " WHERE p.exercise_id = e.id AND p.status <> 'given_up')) AS n"
        " FROM exercises e JOIN skills s ON s.id = e.skill_id"
        " WHERE s.name = ? AND e.status = 'planned' AND e.starts_at > '2026-02-05' AND e.starts_at < '2026-05-01'",
        ("Stretcher lowering",),
    )["n"]
    return world.report.says("free_stretcher_lowering", free)


def goal_says_exercise_day(world) -> bool:
    """Says the day of the exercise on which a place was taken."""
    rope = world.initial.one(
        "SELECT sum(e.most_places - (SELECT count(*) FROM exercise_places p"
        " WHERE p.exercise_id = e.id AND p.status <> 'given_up')) AS n"
        " FROM exercises e JOIN skills s ON s.id = e.skill_id"
        " WHERE s.name = ? AND e.status = 'planned' AND e.starts_at > '2026-02-05' AND e.starts_at < '2026-05-01'",
        ("Rope rescue",),
    )["n"]
    stretcher = world.initial.one(
        "SELECT sum(e.most_places - (SELECT count(*) FROM exercise_places p"
        " WHERE p.exercise_id = e.id AND p.status <> 'given_up')) AS n"
        " FROM exercises e JOIN skills s ON s.id = e.skill_id"
        " WHERE s.name = ? AND e.status = 'planned' AND e.starts_at > '2026-02-05' AND e.starts_at < '2026-05-01'",
        ("Stretcher lowering",),
    )["n"]
    chosen = world.initial.one(
        "SELECT e.id AS id, e.starts_at AS starts_at FROM exercises e JOIN skills s ON s.id = e.skill_id"
        " WHERE s.name = ? AND e.status = 'planned' AND e.starts_at > '2026-02-05' AND e.starts_at < '2026-05-01'"
        " AND e.most_places > (SELECT count(*) FROM exercise_places p"
        " WHERE p.exercise_id = e.id AND p.status <> 'given_up')"
        " AND NOT EXISTS (SELECT 1 FROM exercise_places p"
        " WHERE p.exercise_id = e.id AND p.member_id = 1 AND p.status <> 'given_up')"
        " ORDER BY e.starts_at LIMIT 1",
        ("Rope rescue" if rope < stretcher else "Stretcher lowering",),
    )
    return world.report.says("exercise_day", chosen["starts_at"][:10])


def goal_has_the_place(world) -> bool:
    """The user has one new taken place on the earliest exercise with room in the skill with fewer free places."""
    rope = world.initial.one(
        "SELECT sum(e.most_places - (SELECT count(*) FROM exercise_places p"
        " WHERE p.exercise_id = e.id AND p.status <> 'given_up')) AS n"
        " FROM exercises e JOIN skills s ON s.id = e.skill_id"
        " WHERE s.name = ? AND e.status = 'planned' AND e.starts_at > '2026-02-05' AND e.starts_at < '2026-05-01'",
        ("Rope rescue",),
    )["n"]
    stretcher = world.initial.one(
        "SELECT sum(e.most_places - (SELECT count(*) FROM exercise_places p"
        " WHERE p.exercise_id = e.id AND p.status <> 'given_up')) AS n"
        " FROM exercises e JOIN skills s ON s.id = e.skill_id"
        " WHERE s.name = ? AND e.status = 'planned' AND e.starts_at > '2026-02-05' AND e.starts_at < '2026-05-01'",
        ("Stretcher lowering",),
    )["n"]
    chosen = world.initial.one(
        "SELECT e.id AS id, e.starts_at AS starts_at FROM exercises e JOIN skills s ON s.id = e.skill_id"
        " WHERE s.name = ? AND e.status = 'planned' AND e.starts_at > '2026-02-05' AND e.starts_at < '2026-05-01'"
        " AND e.most_places > (SELECT count(*) FROM exercise_places p"
        " WHERE p.exercise_id = e.id AND p.status <> 'given_up')"
        " AND NOT EXISTS (SELECT 1 FROM exercise_places p"
        " WHERE p.exercise_id = e.id AND p.member_id = 1 AND p.status <> 'given_up')"
        " ORDER BY e.starts_at LIMIT 1",
        ("Rope rescue" if rope < stretcher else "Stretcher lowering",),
    )
    rows = world.final.query(
        "SELECT * FROM exercise_places WHERE exercise_id = ? AND member_id = 1 AND status <> 'given_up'",
        (chosen["id"],),
    )
    return (
        len(rows) == 1
        and rows[0]["status"] == "taken"
        and rows[0]["taken_at"][:10] == "2026-02-05"
        and rows[0]["given_up_at"] is None
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_only_that_place(world) -> bool:
    """Changed nothing but one new place of the user on that exercise."""
    rope = world.initial.one(
        "SELECT sum(e.most_places - (SELECT count(*) FROM exercise_places p"
        " WHERE p.exercise_id = e.id AND p.status <> 'given_up')) AS n"
        " FROM exercises e JOIN skills s ON s.id = e.skill_id"
        " WHERE s.name = ? AND e.status = 'planned' AND e.starts_at > '2026-02-05' AND e.starts_at < '2026-05-01'",
        ("Rope rescue",),
    )["n"]
    stretcher = world.initial.one(
        "SELECT sum(e.most_places - (SELECT count(*) FROM exercise_places p"
        " WHERE p.exercise_id = e.id AND p.status <> 'given_up')) AS n"
        " FROM exercises e JOIN skills s ON s.id = e.skill_id"
        " WHERE s.name = ? AND e.status = 'planned' AND e.starts_at > '2026-02-05' AND e.starts_at < '2026-05-01'",
        ("Stretcher lowering",),
    )["n"]
    chosen = world.initial.one(
        "SELECT e.id AS id, e.starts_at AS starts_at FROM exercises e JOIN skills s ON s.id = e.skill_id"
        " WHERE s.name = ? AND e.status = 'planned' AND e.starts_at > '2026-02-05' AND e.starts_at < '2026-05-01'"
        " AND e.most_places > (SELECT count(*) FROM exercise_places p"
        " WHERE p.exercise_id = e.id AND p.status <> 'given_up')"
        " AND NOT EXISTS (SELECT 1 FROM exercise_places p"
        " WHERE p.exercise_id = e.id AND p.member_id = 1 AND p.status <> 'given_up')"
        " ORDER BY e.starts_at LIMIT 1",
        ("Rope rescue" if rope < stretcher else "Stretcher lowering",),
    )
    return len(world.changes) <= 1 and all(
        c["table"] == "exercise_places"
        and c["before"] is None
        and c["after"] is not None
        and c["after"]["exercise_id"] == chosen["id"]
        and c["after"]["member_id"] == 1
        for c in world.changes
    )

def _left(world, name):
    return world.initial.one(
        "SELECT r.budget_cents - coalesce((SELECT sum(a.awarded_cents) FROM bursary_applications a WHERE a.bursary_round_id = r.id), 0) AS cents"
        " FROM bursary_rounds r WHERE r.round = ?",
        [name],
    )["cents"]


def _more_in_2026(world):
    return _left(world, "2026-spring") > _left(world, "2025-autumn")


def goal_says_what_is_left_of_2025(world) -> bool:
    """Says how much is uncommitted in the second round of 2025."""
    return world.report.says("left_2025", _left(world, "2025-autumn"))


def goal_says_what_is_left_of_2026(world) -> bool:
    """Says how much is uncommitted in the first round of 2026."""
    return world.report.says("left_2026", _left(world, "2026-spring"))


def goal_says_gilhooleys_award(world) -> bool:
    """Says what Martin Gilhooley from Boyle was awarded, if more is left in the 2026 round."""
    row = world.initial.one(
        "SELECT a.awarded_cents AS cents FROM bursary_applications a JOIN readers r ON r.id = a.reader_id"
        " JOIN bursary_rounds b ON b.id = a.bursary_round_id"
        " WHERE r.surname = 'Gilhooley' AND r.forenames = 'Martin' AND r.town = 'Boyle' AND b.round = '2026-spring'",
        [],
    )
    said = world.report.says("gilhooley_award", row["cents"] if _more_in_2026(world) else None)
    return said and world.report.outcome is not None


def goal_says_applications_only_if_due(world) -> bool:
    """Says how many applied in the second round of 2025 only if the 2026 round has no more left."""
    row = world.initial.one(
        "SELECT count(*) AS n FROM bursary_applications a JOIN bursary_rounds b ON b.id = a.bursary_round_id WHERE b.round = '2025-autumn'", []
    )
    said = world.report.says("applied_2025", None if _more_in_2026(world) else row["n"])
    return said and world.report.outcome is not None


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return len(world.changes) == 0

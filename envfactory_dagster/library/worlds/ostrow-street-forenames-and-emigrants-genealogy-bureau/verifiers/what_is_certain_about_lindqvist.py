SURE = (
    "SELECT f.statement, f.source FROM findings f JOIN commissions c ON c.id = f.commission_id"
    " WHERE c.client_id = ? AND c.surname = ? AND f.status = 'open' AND f.confidence_grade >= 4"
    " ORDER BY f.recorded_at, f.id"
)
WHICH = [1, "Lindqvist"]


def goal_lists_the_findings(world) -> bool:
    """Has listed the open findings of grade 4 or 5."""
    return world.report.says("findings", [row["statement"] for row in world.initial.query(SURE, WHICH)])


def goal_lists_the_sources(world) -> bool:
    """Has listed the source that each of them rests on."""
    return world.report.says("sources", [row["source"] for row in world.initial.query(SURE, WHICH)])


def goal_says_how_many_are_disputed_or_withdrawn(world) -> bool:
    """Has told how many other findings are disputed or withdrawn."""
    row = world.initial.one(
        "SELECT count(*) AS n FROM findings f JOIN commissions c ON c.id = f.commission_id"
        " WHERE c.client_id = ? AND c.surname = ? AND f.status IN ('disputed', 'withdrawn')",
        WHICH,
    )
    return world.report.says("disputed_or_withdrawn", row["n"])


def goal_says_which_was_recorded_last(world) -> bool:
    """Has told which of the listed findings was recorded last."""
    return world.report.says("recorded_last", world.initial.query(SURE, WHICH)[-1]["statement"])


def guard_changes_nothing(world) -> bool:
    """Changed no row at all."""
    return world.changes == []


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, without a rule that forbids it."""
    return world.report.outcome in (None, "done") and world.report.reason is None

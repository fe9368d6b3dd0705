def _bundles(world):
    return world.initial.query(
        "SELECT p.id, p.first_year, r.lapses_on FROM pieces p LEFT JOIN restrictions r ON r.piece_id = p.id AND r.lapses_on > '2026-03-02'"
        " WHERE p.title LIKE '%Clifden district%' AND p.first_year IN (1948, 1953) ORDER BY p.first_year",
        [],
    )


def goal_says_which_she_may_see(world) -> bool:
    """Says which of the two bundles she may see."""
    years = [b["first_year"] for b in _bundles(world) if b["lapses_on"] is None]
    return world.report.says("may_see", "the " + str(years[0]) + " bundle")


def goal_says_when_the_other_opens(world) -> bool:
    """Says on what day the other bundle opens."""
    days = [b["lapses_on"] for b in _bundles(world) if b["lapses_on"] is not None]
    return world.report.says("other_opens_on", days[0])


def goal_says_the_soonest_day(world) -> bool:
    """Says the soonest day on which the open bundle could be on her table."""
    row = world.initial.one(
        "SELECT min(v.run_date) AS day FROM van_runs v WHERE v.status = 'planned' AND v.list_closes_at > ?"
        " AND v.capacity_pieces > (SELECT count(*) FROM piece_requests q WHERE q.van_run_id = v.id AND q.status = 'listed')",
        ["2026-03-02T10:15:00"],
    )
    return world.report.says("soonest_day", row["day"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return world.changes == []

def _searches(world):
    rows = world.initial.query(
        "SELECT c.surname || ' in ' || c.region AS name,"
        " (SELECT coalesce(sum(t.hours), 0) FROM time_entries t WHERE t.commission_id = c.id) AS hours,"
        " (SELECT count(*) FROM findings f WHERE f.commission_id = c.id AND f.status = 'open') AS findings"
        " FROM commissions c WHERE c.client_id = 1"
    )
    return [r for r in rows if r["findings"] > 0]


def _least(world):
    return min(_searches(world), key=lambda r: r["hours"] / r["findings"])


def _most(world):
    return max(_searches(world), key=lambda r: r["hours"] / r["findings"])


def goal_says_search_with_fewest_hours(world) -> bool:
    """Says which search needed the fewest hours for an open finding."""
    return bool(world.report.says("fewest_hours_search", _least(world)["name"]))


def goal_says_hours_of_that_search(world) -> bool:
    """Says how many hours were worked on the search that needed the fewest for a finding."""
    return bool(world.report.says("fewest_hours_search_hours", _least(world)["hours"]))


def goal_says_findings_of_that_search(world) -> bool:
    """Says how many open findings there are in the search that needed the fewest hours for one."""
    return bool(world.report.says("fewest_hours_search_findings", _least(world)["findings"]))


def goal_says_search_with_most_hours(world) -> bool:
    """Says which search needed the most hours for an open finding."""
    return bool(world.report.says("most_hours_search", _most(world)["name"]))


def goal_says_hours_of_the_other_search(world) -> bool:
    """Says how many hours were worked on the search that needed the most for a finding."""
    return bool(world.report.says("most_hours_search_hours", _most(world)["hours"]))


def goal_says_findings_of_the_other_search(world) -> bool:
    """Says how many open findings there are in the search that needed the most hours for one."""
    return bool(world.report.says("most_hours_search_findings", _most(world)["findings"]))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing, as only an answer was wanted."""
    return len(world.changes) == 0

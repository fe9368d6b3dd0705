def _weak(world):
    return [r["id"] for r in world.initial.query(
        "SELECT f.id FROM findings f JOIN commissions c ON c.id = f.commission_id"
        " WHERE c.client_id = 1 AND f.status = 'open' AND f.confidence_grade <= 2"
    )]


def _after(world):
    return [world.final.one("SELECT status, disputed_at, dispute_reason FROM findings WHERE id = ?", (i,)) for i in _weak(world)]


def _is_the_reason(text):
    return text is not None and " ".join(text.lower().split()).strip(" .\"'") == "a second source is needed"


def goal_disputes_every_weak_finding(world) -> bool:
    """Disputed every open finding of grade 1 or 2 in the user's searches."""
    return all(r is not None and r["status"] == "disputed" and r["disputed_at"] is not None for r in _after(world))


def goal_gives_the_reason_for_each(world) -> bool:
    """Gave for each of these findings the reason that a second source is needed."""
    return all(r is not None and _is_the_reason(r["dispute_reason"]) for r in _after(world))


def goal_says_how_many(world) -> bool:
    """Says how many findings were disputed."""
    return bool(world.report.says("disputed_findings", len(_weak(world))))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_touches_only_weak_findings(world) -> bool:
    """Changed no row but the open findings of grade 1 or 2 in the user's searches."""
    weak = set(_weak(world))
    return all(
        c["table"] == "findings" and c["before"] is not None and c["after"] is not None and c["before"]["id"] in weak
        for c in world.changes
    )


def guard_changes_only_what_a_dispute_changes(world) -> bool:
    """Changed in these findings nothing but the state, the time and the reason of the dispute."""
    allowed = {"status", "disputed_at", "dispute_reason"}
    for c in world.changes:
        before, after = c["before"], c["after"]
        if before is None or after is None:
            return False
        if any(before[k] != after[k] for k in before if k not in allowed):
            return False
        if after.get("status") != "disputed":
            return False
    return True

PLACES = (
    "SELECT p.id FROM outing_places p JOIN children c ON c.id = p.child_id"
    " JOIN woodland_outings o ON o.id = p.woodland_outing_id"
    " WHERE c.guardian_id = 1 AND c.name = 'Mira' AND p.status = 'taken'"
    " AND substr(o.leaves_at, 1, 10) BETWEEN '2026-05-12' AND '2026-05-31'"
)


def goal_gave_up_every_place(world) -> bool:
    """Gave up every place that Mira had on an outing from 12 to 31 May 2026."""
    rows = world.initial.query(PLACES)
    done = [
        world.final.one(
            "SELECT id FROM outing_places WHERE id = ? AND status = 'given_up' AND given_up_at IS NOT NULL",
            (row["id"],),
        )
        for row in rows
    ]
    return len(rows) > 0 and all(row is not None for row in done)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_these_places_only(world) -> bool:
    """Changed nothing but these places of Mira's, and of them only that they are given up."""
    wanted = {row["id"] for row in world.initial.query(PLACES)}
    for change in world.changes:
        before = change["before"]
        after = change["after"]
        if change["table"] != "outing_places" or before is None or after is None:
            return False
        if before["id"] not in wanted or after["status"] != "given_up":
            return False
        if any(before[k] != after[k] for k in before if k not in ("status", "given_up_at")):
            return False
    return True

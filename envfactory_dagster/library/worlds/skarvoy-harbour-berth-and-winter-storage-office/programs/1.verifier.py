def _credited(world):
    return world.initial.one(
        "SELECT coalesce(sum(amount_cents), 0) AS n FROM owner_credits"
        " WHERE boat_owner_id = 1 AND credited_at >= '2025-01-01'"
    )["n"]


def _spent(world):
    return world.initial.one(
        "SELECT coalesce(sum(CAST(julianday(g.last_day) - julianday(g.first_day) AS INTEGER) * g.night_price_cents), 0)"
        " AS n FROM guest_stays g JOIN boats b ON b.id = g.boat_id"
        " WHERE b.boat_owner_id = 1 AND g.status = 'completed' AND g.first_day >= '2025-01-01'"
    )["n"]


def _lease(world):
    return world.initial.one(
        "SELECT l.id FROM berth_leases l JOIN boats b ON b.id = l.boat_id"
        " WHERE b.boat_owner_id = 1 AND b.name = 'Lomvi' AND l.status = 'active'"
    )["id"]


def _is_wanted(world, change):
    if change["table"] != "absence_notices" or change["after"] is None:
        return False
    before, after = change["before"], change["after"]
    if after["berth_lease_id"] != _lease(world):
        return False
    if _credited(world) > _spent(world):
        return (
            before is None
            and after["first_day"] == "2026-07-03"
            and after["last_day"] == "2026-07-10"
            and after["status"] == "open"
            and after["withdrawn_at"] is None
        )
    if before is None or before["first_day"] != "2026-05-22" or before["status"] == "withdrawn":
        return False
    same = all(before[k] == after[k] for k in before if k not in ("status", "withdrawn_at"))
    return same and after["status"] == "withdrawn"


def goal_says_what_was_credited(world) -> bool:
    """Says how much was credited for guests since 1 January 2025."""
    return world.report.says("credited", _credited(world))


def goal_says_what_was_spent(world) -> bool:
    """Says what the user's own guest stays since 1 January 2025 cost, cancelled ones left out."""
    return world.report.says("spent", _spent(world))


def goal_absence_is_settled(world) -> bool:
    """Reported the Lomvi away in July, as the credits are larger, or else withdrew her absence in May."""
    return sum(1 for change in world.changes if _is_wanted(world, change)) == 1


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing but the one absence notice of the Lomvi's lease."""
    return len(world.changes) <= 1 and all(_is_wanted(world, change) for change in world.changes)

def _store(world):
    return world.initial.one(
        "SELECT COALESCE(SUM(quantity * unit_price_cents), 0) AS n FROM store_purchases"
        " WHERE member_id = 1 AND substr(stated_at, 1, 7) = '2026-04'"
    )["n"]


def _guests(world):
    return world.initial.one(
        "SELECT COALESCE(SUM(price_cents), 0) AS n FROM guest_visits"
        " WHERE member_id = 1 AND status = 'visited' AND substr(starts_at, 1, 7) = '2026-04'"
    )["n"]


def goal_says_store_in_april(world) -> bool:
    """Says what the store cost in April."""
    return world.report.says("store_april", _store(world))


def goal_says_guests_in_april(world) -> bool:
    """Says what the guests cost in April."""
    return world.report.says("guests_april", _guests(world))


def goal_says_dearest_item(world) -> bool:
    """Says on which item most was spent since 1 April, if the store was dearer than the guests."""
    if _store(world) <= _guests(world):
        return world.report.says("dearest_item", None)
    row = world.initial.one(
        "SELECT i.name FROM store_purchases p JOIN store_items i ON i.id = p.store_item_id"
        " WHERE p.member_id = 1 AND substr(p.stated_at, 1, 10) BETWEEN '2026-04-01' AND '2026-05-06'"
        " GROUP BY i.id ORDER BY SUM(p.quantity * p.unit_price_cents) DESC LIMIT 1"
    )
    return world.report.says("dearest_item", row["name"])


def goal_says_last_guest(world) -> bool:
    """Names the last guest in April, if the guests were dearer than the store."""
    if _store(world) > _guests(world):
        return world.report.says("last_guest", None)
    row = world.initial.one(
        "SELECT guest_name FROM guest_visits WHERE member_id = 1 AND status = 'visited'"
        " AND substr(starts_at, 1, 7) = '2026-04' ORDER BY starts_at DESC LIMIT 1"
    )
    return world.report.says("last_guest", row["guest_name"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return len(world.changes) == 0

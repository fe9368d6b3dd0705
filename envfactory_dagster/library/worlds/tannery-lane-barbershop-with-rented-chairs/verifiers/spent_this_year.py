def goal_says_the_total(world) -> bool:
    """Has told what the visits that took place since 1 January 2026 cost together."""
    row = world.initial.one(
        "SELECT sum(price_cents) AS total FROM appointments"
        " WHERE customer_id = 1 AND status = 'done' AND starts_at >= ?",
        ["2026-01-01T00:00:00"],
    )
    return world.report.says("total_spent", row["total"])


def goal_says_the_barber_with_the_largest_share(world) -> bool:
    """Has told which barber got the largest share of it."""
    row = world.initial.one(
        "SELECT b.name FROM appointments a JOIN services s ON s.id = a.service_id JOIN barbers b ON b.id = s.barber_id"
        " WHERE a.customer_id = 1 AND a.status = 'done' AND a.starts_at >= ?"
        " GROUP BY b.id ORDER BY sum(a.price_cents) DESC LIMIT 1",
        ["2026-01-01T00:00:00"],
    )
    return world.report.says("top_barber", row["name"])


def guard_changes_nothing(world) -> bool:
    """Changed no row."""
    return world.changes == []


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule in the way."""
    return world.report.outcome in (None, "done") and world.report.reason is None

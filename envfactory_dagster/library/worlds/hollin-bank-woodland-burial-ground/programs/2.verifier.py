def goal_says_where_least_is_lost(world) -> bool:
    """Names the bearing of the plot on which the least would be lost."""
    row = world.initial.one(
        "SELECT p.bearing_degrees AS bearing, r.price_cents - p.refund_cents AS loss, r.upkeep_paid_until_year AS year"
        " FROM reservations r JOIN plots p ON p.id = r.plot_id"
        " WHERE r.family_contact_id = 1 AND r.status = 'active' ORDER BY loss ASC LIMIT 1"
    )
    return world.report.says("least_loss_bearing", row["bearing"])


def goal_says_the_least_loss(world) -> bool:
    """Says how much would be lost on that plot."""
    row = world.initial.one(
        "SELECT p.bearing_degrees AS bearing, r.price_cents - p.refund_cents AS loss, r.upkeep_paid_until_year AS year"
        " FROM reservations r JOIN plots p ON p.id = r.plot_id"
        " WHERE r.family_contact_id = 1 AND r.status = 'active' ORDER BY loss ASC LIMIT 1"
    )
    return world.report.says("least_loss", row["loss"])


def goal_says_paid_until(world) -> bool:
    """Says up to which year the upkeep of that plot is paid."""
    row = world.initial.one(
        "SELECT p.bearing_degrees AS bearing, r.price_cents - p.refund_cents AS loss, r.upkeep_paid_until_year AS year"
        " FROM reservations r JOIN plots p ON p.id = r.plot_id"
        " WHERE r.family_contact_id = 1 AND r.status = 'active' ORDER BY loss ASC LIMIT 1"
    )
    return world.report.says("least_loss_paid_until", row["year"])


def goal_says_where_most_is_lost(world) -> bool:
    """Names the bearing of the plot on which the most would be lost."""
    row = world.initial.one(
        "SELECT p.bearing_degrees AS bearing, r.price_cents - p.refund_cents AS loss, r.upkeep_paid_until_year AS year"
        " FROM reservations r JOIN plots p ON p.id = r.plot_id"
        " WHERE r.family_contact_id = 1 AND r.status = 'active' ORDER BY loss DESC LIMIT 1"
    )
    return world.report.says("most_loss_bearing", row["bearing"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing, as only an answer was wanted."""
    return len(world.changes) == 0

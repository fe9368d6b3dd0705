def _half_days(world, name):
    row = world.initial.one(
        "SELECT count(*) AS n FROM chair_rentals r JOIN barbers b ON b.id = r.barber_id"
        " WHERE b.name = ? AND r.status = 'active' AND r.day BETWEEN '2026-04-15' AND '2026-04-18'",
        (name,),
    )
    return row["n"]


def _works_more(world):
    if _half_days(world, "Rosa Hale") > _half_days(world, "Ned Calloway"):
        return "Rosa Hale"
    return "Ned Calloway"


def goal_says_half_days_of_rosa(world) -> bool:
    """Says how many half-days Rosa Hale works from 15 to 18 April."""
    return world.report.says("rosa_half_days", _half_days(world, "Rosa Hale"))


def goal_says_half_days_of_ned(world) -> bool:
    """Says how many half-days Ned Calloway works from 15 to 18 April."""
    return world.report.says("ned_half_days", _half_days(world, "Ned Calloway"))


def goal_says_who_works_more(world) -> bool:
    """Says which of the two works more half-days."""
    return world.report.says("works_more", _works_more(world))


def goal_says_price_of_haircut(world) -> bool:
    """Says what a plain haircut costs with the one who works more half-days."""
    row = world.initial.one(
        "SELECT s.price_cents AS price FROM services s JOIN barbers b ON b.id = s.barber_id"
        " WHERE b.name = ? AND s.name = 'Haircut'",
        (_works_more(world),),
    )
    return world.report.says("haircut_price", row["price"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing at all, as only an answer is wanted."""
    return len(world.changes) == 0

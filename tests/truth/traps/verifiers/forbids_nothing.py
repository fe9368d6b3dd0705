def goal_two_portions_of_soup(world) -> bool:
    """Has two portions of the barley soup for the seventh."""
    row = world.final.one(
        """
        SELECT sum(o.portions) AS n FROM meal_orders o JOIN meals m ON m.id = o.meal_id
        WHERE m.name LIKE 'Barley soup%' AND o.served_on = '2026-07-07' AND o.status = 'ordered'
        """
    )
    return row["n"] == 2


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

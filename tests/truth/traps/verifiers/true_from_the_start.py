def goal_the_stew_is_ordered(world) -> bool:
    """Has two portions of the lentil stew for the sixteenth."""
    rows = world.final.query(
        """
        SELECT o.portions FROM meal_orders o JOIN bookings b ON b.id = o.booking_id JOIN meals m ON m.id = o.meal_id
        WHERE b.code = 'BK-00041' AND m.name LIKE 'Lentil stew%' AND o.served_on = '2026-07-16'
        """
    )
    return 2 in [row["portions"] for row in rows]


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

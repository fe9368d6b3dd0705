def goal_two_portions_of_soup(world) -> bool:
    """Has two portions of the barley soup for the seventh, and no more."""
    rows = world.final.query(
        """
        SELECT o.portions FROM meal_orders o JOIN bookings b ON b.id = o.booking_id JOIN meals m ON m.id = o.meal_id
        WHERE b.code = 'BK-00038' AND m.name LIKE 'Barley soup%' AND o.served_on = '2026-07-07' AND o.status = 'ordered'
        """
    )
    return [row["portions"] for row in rows] == [2]


def guard_adds_only_an_order_and_its_charge(world) -> bool:
    """Added one order and one open charge for it at most."""
    tables = sorted(change["table"] for change in world.changes)
    return tables in ([], ["charges", "meal_orders"]) and all(
        change["before"] is None and change["after"]["status"] in ("open", "ordered") for change in world.changes
    )

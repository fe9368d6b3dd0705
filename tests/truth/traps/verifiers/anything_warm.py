def goal_one_more_portion(world) -> bool:
    """Has one more order of one portion at the Steinkar Hut on the seventeenth."""
    orders = [change["after"] for change in world.changes if change["table"] == "meal_orders"]
    stay = world.initial.one("SELECT id FROM bookings WHERE code = 'BK-00041'")["id"]
    return [(o["booking_id"], o["served_on"], o["portions"], o["status"]) for o in orders] == [
        (stay, "2026-07-17", 1, "ordered")
    ]


def guard_adds_only_an_order_and_its_charge(world) -> bool:
    """Added one order and one open charge for it at most."""
    tables = sorted(change["table"] for change in world.changes)
    return tables in ([], ["charges", "meal_orders"]) and all(
        change["before"] is None and change["after"]["status"] in ("open", "ordered") for change in world.changes
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

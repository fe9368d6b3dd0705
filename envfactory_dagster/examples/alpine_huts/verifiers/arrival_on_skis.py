BOOKING = "BK-00187"
KIT = "Avalanche kit: beacon, shovel, probe"


def _changed(world, table):
    return [change for change in world.changes if change["table"] == table]


def _booking_id(world):
    return world.initial.one("SELECT id FROM bookings WHERE code = ?", [BOOKING])["id"]


def goal_they_are_checked_in(world) -> bool:
    """Has checked in at the Zirbenhaus."""
    return world.final.one("SELECT status FROM bookings WHERE code = ?", [BOOKING])["status"] == "checked_in"


def goal_both_have_a_kit(world) -> bool:
    """Has two plain avalanche kits handed out for the stay."""
    row = world.final.one(
        """
        SELECT sum(g.quantity) AS kits FROM gear_rentals g JOIN gear_models m ON m.id = g.gear_model_id
        WHERE g.booking_id = ? AND m.name = ? AND g.status = 'handed_out'
        """,
        [_booking_id(world), KIT],
    )
    return row["kits"] == 2


def goal_the_kits_are_paid_by_visa(world) -> bool:
    """Has paid rent and deposit of two kits with the Visa card."""
    rows = world.final.query(
        """
        SELECT c.kind, sum(g.quantity) AS kits
        FROM charges c JOIN gear_rentals g ON g.id = c.gear_rental_id JOIN payments p ON p.id = c.payment_id
        JOIN payment_methods m ON m.id = p.payment_method_id
        WHERE g.booking_id = ? AND c.status = 'paid' AND p.status = 'confirmed' AND m.label LIKE 'Visa%'
        GROUP BY c.kind
        """,
        [_booking_id(world)],
    )
    return {row["kind"]: row["kits"] for row in rows} == {"gear": 2, "deposit": 2}


def guard_leaves_dinner_on_the_bill(world) -> bool:
    """Paid for nothing but the new rentals."""
    rented = [change["key"][0] for change in _changed(world, "gear_rentals")]
    return all(change["before"] is None for change in _changed(world, "payments")) and all(
        change["before"] is None and change["after"]["gear_rental_id"] in rented
        for change in _changed(world, "charges")
    )


def guard_rents_only_two_kits(world) -> bool:
    """Rented nothing else, and not more than two."""
    rentals = _changed(world, "gear_rentals")
    return (
        all(change["before"] is None and change["after"]["booking_id"] == _booking_id(world) for change in rentals)
        and sum(change["after"]["quantity"] for change in rentals) <= 2
    )


def guard_every_payment_pays_a_bill(world) -> bool:
    """Made no payment that no charge belongs to."""
    paid = [row["payment_id"] for row in world.final.query("SELECT DISTINCT payment_id FROM charges")]
    return all(change["key"][0] in paid for change in _changed(world, "payments"))


def guard_changes_nothing_else(world) -> bool:
    """Touched no other booking and no other kind of thing."""
    return {change["table"] for change in world.changes} <= {"bookings", "gear_rentals", "charges", "payments"} and all(
        change["key"][0] == _booking_id(world) for change in _changed(world, "bookings")
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

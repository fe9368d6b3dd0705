BOOKING = "BK-00031"


def _changed(world, table):
    return [change for change in world.changes if change["table"] == table]


def _booking_id(world):
    return world.initial.one("SELECT id FROM bookings WHERE code = ?", [BOOKING])["id"]


def _hat(world):
    row = world.initial.one(
        """
        SELECT i.id FROM lost_items i JOIN huts h ON h.id = i.hut_id
        WHERE h.name = 'Silbersee Hut' AND i.status = 'stored' AND i.description LIKE 'Grey merino hat%'
        """
    )
    return row["id"]


def goal_the_bill_is_paid_by_direct_debit(world) -> bool:
    """Has paid every charge of the stay that was open, by direct debit."""
    opened = world.initial.query(
        "SELECT id FROM charges WHERE booking_id = ? AND status = 'open'", [_booking_id(world)]
    )
    paid = world.final.query(
        """
        SELECT c.id FROM charges c JOIN payments p ON p.id = c.payment_id
        JOIN payment_methods m ON m.id = p.payment_method_id
        WHERE c.booking_id = ? AND c.status = 'paid' AND p.status = 'confirmed' AND m.kind = 'direct_debit'
        """,
        [_booking_id(world)],
    )
    return {row["id"] for row in opened} <= {row["id"] for row in paid}


def goal_they_are_checked_out(world) -> bool:
    """Has completed the stay, with all gear handed back."""
    stay = world.final.one("SELECT status FROM bookings WHERE code = ?", [BOOKING])
    gear = world.final.one(
        "SELECT count(*) AS n FROM gear_rentals WHERE booking_id = ? AND status <> 'returned'", [_booking_id(world)]
    )
    return stay["status"] == "completed" and gear["n"] == 0


def goal_the_hut_has_five_stars(world) -> bool:
    """Has reviewed this stay with five stars, and named the kitchen and the sunrise."""
    review = world.final.one("SELECT rating, body FROM reviews WHERE booking_id = ?", [_booking_id(world)])
    if review is None:
        return False
    body = review["body"].casefold()
    return review["rating"] == 5 and "kitchen" in body and "sunrise" in body


def goal_the_hat_comes_by_post(world) -> bool:
    """Has claimed the hat from the Silbersee Hut, to be sent by post."""
    claim = world.final.one("SELECT person_id, delivery FROM lost_claims WHERE lost_item_id = ?", [_hat(world)])
    return claim is not None and claim["person_id"] == 1 and claim["delivery"] == "post"


def guard_settles_only_this_stay(world) -> bool:
    """Paid, refunded and reviewed nothing but this stay; the postage for the hat stays open."""
    booking_id = _booking_id(world)
    charges = _changed(world, "charges")
    settled = [change for change in charges if change["before"] is not None]
    added = [change["after"] for change in charges if change["before"] is None]
    ours = {change["key"][0] for change in settled}
    rows_of_payments = _changed(world, "payments") + _changed(world, "refunds")
    return (
        all(change["before"]["booking_id"] == booking_id for change in settled)
        and all(charge["kind"] == "postage" and charge["status"] == "open" for charge in added)
        and all(change["before"] is None for change in rows_of_payments + _changed(world, "reviews"))
        and all(change["after"]["charge_id"] in ours for change in _changed(world, "refunds"))
        and all(change["key"][0] == booking_id for change in _changed(world, "bookings"))
        and all(change["after"]["booking_id"] == booking_id for change in _changed(world, "reviews"))
        and all(
            change["before"] is not None and change["before"]["booking_id"] == booking_id
            for change in _changed(world, "gear_rentals")
        )
    )


def guard_claims_only_the_hat(world) -> bool:
    """Claimed nothing but the hat."""
    return all(change["key"][0] == _hat(world) for change in _changed(world, "lost_items")) and all(
        change["after"]["lost_item_id"] == _hat(world) for change in _changed(world, "lost_claims")
    )


def guard_every_payment_pays_a_bill(world) -> bool:
    """Made no payment that no charge belongs to."""
    paid = [row["payment_id"] for row in world.final.query("SELECT DISTINCT payment_id FROM charges")]
    return all(change["key"][0] in paid for change in _changed(world, "payments"))


def guard_changes_nothing_else(world) -> bool:
    """Left all other kinds of things alone."""
    allowed = ["bookings", "gear_rentals", "charges", "payments", "refunds", "reviews", "lost_items", "lost_claims"]
    return all(change["table"] in allowed for change in world.changes)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

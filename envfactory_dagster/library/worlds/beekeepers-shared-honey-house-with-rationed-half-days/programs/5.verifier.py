ORDERS = (
    "SELECT o.id, r.closes_on, o.sugar_sacks * r.sack_price_cents"
    " + (SELECT COALESCE(SUM(x.packs * t.price_cents), 0) FROM bulk_order_treatments x"
    " JOIN treatments t ON t.id = x.treatment_id WHERE x.bulk_order_id = o.id) AS total"
    " FROM bulk_orders o JOIN bulk_rounds r ON r.id = o.bulk_round_id"
    " WHERE o.member_id = 1 AND o.status = 'placed' ORDER BY total DESC, o.id"
)
FEES = (
    "SELECT e.id, d.held_on, -e.amount_cents AS fee FROM ledger_entries e"
    " JOIN bookings b ON b.id = e.booking_id JOIN half_days d ON d.id = b.half_day_id"
    " WHERE e.member_id = 1 AND e.kind = 'room_fee' AND e.entered_at >= '2025-01-01' ORDER BY fee DESC, e.id"
)


def _figures(world):
    orders = world.initial.query(ORDERS, [])
    fees = world.initial.query(FEES, [])
    return orders, fees, sum(o["total"] for o in orders), sum(f["fee"] for f in fees)


def goal_says_total_of_orders(world) -> bool:
    """Says what the placed orders come to."""
    return world.report.says("orders_total", _figures(world)[2])


def goal_says_total_of_room_fees(world) -> bool:
    """Says what was charged in room fees this year, before refunds."""
    return world.report.says("room_fees_total", _figures(world)[3])


def goal_says_closing_day_only_if_orders_are_more(world) -> bool:
    """Says when the round of the dearest order closes if the orders are more, and nothing otherwise."""
    orders, fees, order_total, fee_total = _figures(world)
    return world.report.says("round_closes_on", orders[0]["closes_on"] if order_total > fee_total else None)


def goal_says_dearest_half_day_only_if_fees_are_more(world) -> bool:
    """Says which day the dearest half-day is on if the room fees are more, and nothing otherwise."""
    orders, fees, order_total, fee_total = _figures(world)
    return world.report.says("dearest_half_day", fees[0]["held_on"] if fee_total > order_total else None)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing at all."""
    return not world.changes

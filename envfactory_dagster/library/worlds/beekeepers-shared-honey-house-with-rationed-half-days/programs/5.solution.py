def solve(tools):
    me = tools.get_own_membership()
    orders = tools.list_bulk_orders(status="placed")["bulk_orders"]
    entries = tools.getLedger(
        memberNo=me["member_no"], kind="room_fee", first_day="2025-01-01", last_day="2025-06-18"
    )["entries"]
    order_total = sum(o["total_cents"] for o in orders)
    fee_total = -sum(e["amount_cents"] for e in entries)
    closes = None
    dearest = None
    message = f"Your placed orders come to {order_total / 100:.2f} EUR, the room fees to {fee_total / 100:.2f} EUR."
    if order_total > fee_total:
        closes = max(orders, key=lambda o: o["total_cents"])["closes_on"]
        message += f" The dearer order is in the round that closes on {closes}."
    else:
        number = min(entries, key=lambda e: e["amount_cents"])["booking_no"]
        for b in tools.list_bookings()["bookings"]:
            if b["booking_no"] == number:
                dearest = b["held_on"]
        message += f" The dearest half-day is that of {dearest}."
    return {
        "outcome": "done",
        "answers": {
            "orders_total": order_total,
            "room_fees_total": fee_total,
            "round_closes_on": closes,
            "dearest_half_day": dearest,
        },
        "reason": None,
        "message": message,
    }

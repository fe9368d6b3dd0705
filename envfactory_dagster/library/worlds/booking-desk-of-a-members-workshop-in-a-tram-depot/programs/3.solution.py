def solve(tools):
    count, back = 0, 0
    for booking in tools.search_bookings(first_day="2026-05-08", last_day="2026-05-16")["bookings"]:
        if booking["status"] in ("provisional", "confirmed") and booking["credit_paid_cents"] == booking["price_cents"]:
            back += tools.cancel_booking(booking_id=booking["booking_id"])["credit_refunded_cents"]
            count += 1
    left = tools.get_credit_balance()["total_cents"]
    return {
        "outcome": "done",
        "answers": {"bookings_given_up": count, "credit_back": back, "credit_then": left},
        "reason": None,
        "message": f"I gave up {count} bookings; {back / 100:.2f} euros of credit came back, and you have "
        f"{left / 100:.2f} euros of credit now.",
    }

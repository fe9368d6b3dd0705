def solve(tools):
    year = tools.summarize_spending(first_day="2026-01-01", last_day="2026-12-31")
    stays = tools.list_bookings(status="completed", first_day="2026-08-01", last_day="2026-08-31")["bookings"]
    stay = next(booking for booking in stays if booking["hut"] == "Murmelgrund Hut")
    charges = tools.list_charges(booking_code=stay["booking_code"], status="paid")
    return {
        "outcome": "done",
        "answers": {"paid_in_2026": year["net_cents"], "of_it_for_murmelgrund": charges["total_cents"]},
        "reason": None,
        "message": f"You paid {year['net_cents'] / 100:.2f} euros in 2026 after refunds, "
        f"{charges['total_cents'] / 100:.2f} of it for the Murmelgrund Hut.",
    }

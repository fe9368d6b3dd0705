def solve(tools):
    bookings = tools.list_bookings(status="confirmed", first_day="2026-07-07", last_day="2026-07-08")["bookings"]
    stay = next(booking for booking in bookings if booking["hut"] == "Morgenkopf Hut")
    deadline = tools.get_booking(booking_code=stay["booking_code"])["cancel_until"]
    if deadline[:10] >= tools.get_my_profile()["today"]:
        cancelled = tools.cancel_booking(booking_code=stay["booking_code"])
        return {
            "outcome": "done",
            "answers": {"hours_ahead": None},
            "reason": None,
            "message": f"Cancelled; {cancelled['refunded_cents'] / 100:.2f} euros come back to you.",
        }
    hut = tools.get_hut(hut_id=stay["hut_id"])
    return {
        "outcome": "refused",
        "answers": {"hours_ahead": hut["cancellation_hours"]},
        "reason": "cancellation_window",
        "message": f"It is too late: the hut asks for {hut['cancellation_hours']} hours' notice. I left it as it is.",
    }

def solve(tools):
    [stay] = tools.list_bookings(status="confirmed", first_day="2026-07-07", last_day="2026-07-07")["bookings"]
    tools.send_message(hut_id=stay["hut_id"], subject="Our night", body="Please let us out of it.")
    return {
        "outcome": "refused",
        "answers": {},
        "reason": "cancellation_window",
        "message": "It cannot be cancelled any more: that was possible up to 72 hours before.",
    }

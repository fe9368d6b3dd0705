def solve(tools):
    rule = "a member can change or cancel a table booking only until 24 hours before the club evening starts"
    bookings = tools.list_my_table_bookings(status="booked", first_day="2026-11-06", last_day="2026-11-06")["table_bookings"]
    booking = next(b for b in bookings if b["starts_at"][:16] == "2026-11-06T19:00")
    # The evening starts today at 19:00: whatever the hour, that is less than 24 hours away.
    return {
        "outcome": "refused",
        "answers": {},
        "reason": "table_booking_deadline",
        "message": (
            f"I cannot cancel your booking of the {booking['play_table_name']} for tonight: {rule}, and this one starts "
            f"today at {booking['starts_at'][11:16]}. The booking stays as it is."
        ),
    }

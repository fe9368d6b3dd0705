def solve(tools):
    [stay] = tools.list_bookings(status="confirmed", first_day="2026-07-07", last_day="2026-07-07")["bookings"]
    try:
        tools.cancel_booking(booking_code=stay["booking_code"])
    except tools.Error as error:
        return {"outcome": "refused", "answers": {}, "reason": "cancellation_window", "message": f"Sorry: {error}."}
    return {"outcome": "done", "answers": {}, "reason": None, "message": "The night is cancelled."}

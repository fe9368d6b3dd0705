import datetime


def solve(tools):
    found = tools.find_readers(surname="Keane", forename="Dónal")["readers"]
    record = tools.get_reader(ticket_no=found[0]["ticket_no"], include=["seat_bookings"])
    standing = [booking for booking in record["seat_bookings"] if booking["status"] == "booked"]
    left, taken_off = [], 0
    for booking in standing:
        if datetime.date.fromisoformat(booking["date"]).weekday() == 4:
            tools.cancel_seat_booking(booking_id=booking["booking_id"], cause="reader_changed_plans")
            taken_off += 1
        else:
            left.append(booking["date"])
    first = min(left) if left else None
    return {
        "outcome": "done",
        "answers": {"taken_off": taken_off, "first_day_left": first},
        "reason": None,
        "message": f"{taken_off} Friday bookings were taken off. The first day he still has a seat is {first}.",
    }

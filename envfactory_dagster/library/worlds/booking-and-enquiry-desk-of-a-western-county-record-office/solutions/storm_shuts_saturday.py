import datetime


def solve(tools):
    closure = tools.record_unplanned_closure(date="2026-10-03", part="saturday_morning", reason="red_weather_warning", authorised_by="severe_weather_team")
    readers = tools.find_readers(surname="Lally", forename="Siobhán")["readers"]
    ticket = next(reader["ticket_no"] for reader in readers if reader["town"] == "Oughterard")
    bookings = tools.get_reader(ticket_no=ticket, include=["seat_bookings"])["seat_bookings"]
    for booking in bookings:
        if booking["date"] == "2026-10-03" and booking["status"] == "booked":
            tools.cancel_seat_booking(booking_id=booking["booking_id"], cause="weather_or_road")
    day, seat = datetime.date(2026, 10, 10), None
    while seat is None and day <= datetime.date(2026, 12, 1):
        try:
            seat = tools.book_seat(ticket_no=ticket, date=day.isoformat(), sitting="saturday_morning", seat_kind="adjustable_table")
        except tools.Error:
            day += datetime.timedelta(days=7)
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"The room is shut on the morning of 3 October, which displaces {len(closure['displaced_bookings'])} bookings. Siobhán Lally has the adjustable table on the morning of {day.isoformat()} instead.",
    }

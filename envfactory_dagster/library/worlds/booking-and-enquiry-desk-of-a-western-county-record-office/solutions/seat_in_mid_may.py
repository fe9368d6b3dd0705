def solve(tools):
    readers = tools.find_readers(surname="Gilhooly", forename="Martin")["readers"]
    ticket = next(reader["ticket_no"] for reader in readers if reader["town"] == "Leeds")
    try:
        seat = tools.book_seat(ticket_no=ticket, date="2026-05-13", sitting="morning", seat_kind="microfilm_reader")
    except tools.Error as error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "seat_booking_limits",
            "message": f"A seat can be booked only for a day from today to 60 days ahead, so Martin Gilhooly cannot have one on 13 May 2026 yet. {error}",
        }
    return {"outcome": "done", "answers": {}, "reason": None, "message": f"Martin Gilhooly has seat {seat['seat']} for the morning of 13 May 2026."}

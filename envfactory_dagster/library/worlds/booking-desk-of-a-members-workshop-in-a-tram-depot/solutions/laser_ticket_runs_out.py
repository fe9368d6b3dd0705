def solve(tools):
    station = next(row for row in tools.search_stations(code="L1")["stations"] if row["code"] == "L1")
    held = [
        row for row in tools.list_inductions()["inductions"]
        if row["induction_type_id"] == station["induction_type_id"]
    ]
    until = held[0]["valid_until"] if held else "no day"
    try:
        tools.book_hours(
            station_id=station["station_id"], starts_at="2026-05-21T10:00:00", ends_at="2026-05-21T12:00:00"
        )
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "induction_valid_on_day_of_use",
            "message": "I can't book L1 on Thursday 21 May: the induction must be valid on the day of use, not the day of "
            f"booking, yours is valid until {until}, and you have no session for it booked at least 3 days before.",
        }
    return {"outcome": "done", "answers": {}, "reason": None, "message": "L1 is booked on Thursday 21 May, 10:00 to 12:00."}

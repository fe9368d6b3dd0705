def solve(tools):
    lathes = [row for row in tools.search_stations(code="M")["stations"] if row["machine"] == "Lathe"]
    mine = tools.search_bookings(
        status="confirmed", station_id=lathes[0]["station_id"], first_day="2026-05-07", last_day="2026-05-07"
    )["bookings"]
    lathe = next(row for row in mine if row["starts_at"] == "2026-05-07T14:00:00")
    cancelled = tools.cancel_booking(booking_id=lathe["booking_id"])
    back = cancelled["booking"]["refund_cents"]
    place = next(
        row for row in tools.list_induction_places(status="booked")["induction_places"]
        if row["induction_type_name"] == "Welding" and row["starts_at"].startswith("2026-05-08")
    )
    free = tools.search_induction_sessions(
        induction_type_id=place["induction_type_id"],
        kind="refresher",
        first_day="2026-05-13",
        last_day="2026-05-17",
        only_free=True,
    )["induction_sessions"]
    session = free[-1]
    moved = tools.move_induction_place(
        induction_place_id=place["induction_place_id"], induction_session_id=session["induction_session_id"]
    )["induction_place"]
    day = moved["starts_at"][:10]
    return {
        "outcome": "done",
        "answers": {"money_back": back, "refresher_day": day},
        "reason": None,
        "message": f"The lathe is cancelled and {back / 100:.2f} euros came back; your welding refresher is now on {day} "
        f"at {moved['starts_at'][11:16]}.",
    }

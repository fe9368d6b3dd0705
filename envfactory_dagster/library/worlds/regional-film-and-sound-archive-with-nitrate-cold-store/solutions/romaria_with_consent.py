def solve(tools):
    film = next(i for i in tools.list_items(title_contains="Romaria da Senhora da Piedade")["items"])
    run = tools.list_van_runs(first_day="2026-09-29", last_day="2026-09-29")["van_runs"][0]
    session = next(s for s in run["free_sessions"] if s["session_day"] == "2026-09-30")
    cancelled = []
    for booking in tools.list_my_bookings(status="booked", first_day="2026-09-30", last_day="2026-09-30")["bookings"]:
        if booking["place"] != "TABLE" and booking["starts"] < session["ends"] and session["starts"] < booking["ends"]:
            tools.cancel_booking(booking_id=booking["id"])
            cancelled.append(booking["slot"])
    order = tools.request_consent(
        item_id=film["id"], can_nos=[1], van_run_id=run["id"], wish_day=session["session_day"], wish_slot_id=session["slot_id"],
        note="For my thesis",
    )["cold_store_order"]
    booth = f" I cancelled your booth in {', '.join(cancelled)} first, as it falls at that time." if cancelled else " Your booth stays."
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"Your request {order['order_no']} for Romaria da Senhora da Piedade awaits Dra. Taborda's consent, with the wish 30 September, {session['slot']} at {session['starts']}.{booth}",
    }

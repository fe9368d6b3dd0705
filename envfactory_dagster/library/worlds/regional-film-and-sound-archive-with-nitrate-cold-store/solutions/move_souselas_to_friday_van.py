def solve(tools):
    order = next(
        o for o in tools.list_my_orders(status="on a run")["cold_store_orders"] if o["title"] == "Cimentos de Souselas"
    )
    run = tools.list_van_runs(first_day="2026-07-03", last_day="2026-07-03")["van_runs"][0]
    free = [s for s in run["free_sessions"] if s["session_day"] == "2026-07-06"]
    session = max(free, key=lambda s: s["starts"])
    tools.move_order(
        cold_store_order_id=order["id"], van_run_id=run["id"], session_day=session["session_day"], session_slot_id=session["slot_id"],
    )
    for booking in tools.list_my_bookings(status="booked", first_day="2026-07-01", last_day="2026-07-01")["bookings"]:
        if booking["place"] != "TABLE":
            tools.cancel_booking(booking_id=booking["id"])
    reel = next(i for i in tools.list_items(title_contains="Lavadeiras do Mondego")["items"])
    place = tools.find_free_places(on_day="2026-07-03", kind="viewing table")["free_places"][0]
    tools.book_table(on_day="2026-07-03", slot_id=place["slot_id"], item_id=reel["id"], with_technician=False)
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"Cimentos de Souselas comes with {run['code']}, to be seen on 6 July in {session['slot']} at {session['starts']}; the booth on 1 July is cancelled, and the table is yours alone on 3 July in {place['slot']} at {place['starts']} for Lavadeiras do Mondego.",
    }

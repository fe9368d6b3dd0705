def solve(tools):
    offer = next(
        o
        for o in tools.search_swap_offers(
            status="open", first_day="2026-08-29", last_day="2026-08-29", offered_by_name="Lena Brandvik"
        )["swap_offers"]
        if o["offered_by_name"] == "Lena Brandvik" and o["kind"] == "day"
    )
    night = next(
        place
        for place in tools.list_my_shift_places(first_day="2026-08-19", last_day="2026-08-19")["shift_places"]
        if place["kind"] == "night" and place["status"] in ("taken", "offered")
    )
    got = tools.accept_swap_offer(swap_offer_id=offer["id"])["shift_place"]
    message = (
        f"You have taken over Lena Brandvik's place on the day shift from {got['starts_at'][:16].replace('T', ' ')}"
        f" to {got['ends_at'][11:16]}."
    )
    start = night["starts_at"][:16].replace("T", " ")
    if night["status"] == "taken":
        tools.offer_shift_place(shift_place_id=night["id"])
        message += f" Your night shift starting at {start} is now offered for swap; it stays yours until somebody accepts."
    else:
        message += f" Your night shift starting at {start} was on offer already, so I left it so."
    return {"outcome": "done", "answers": {}, "reason": None, "message": message}

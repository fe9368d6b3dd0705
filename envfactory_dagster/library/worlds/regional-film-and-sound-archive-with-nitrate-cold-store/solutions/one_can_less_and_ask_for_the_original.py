def solve(tools):
    run = tools.list_van_runs(first_day="2026-06-30", last_day="2026-06-30")["van_runs"][0]
    order = next(
        o for o in tools.list_my_orders(status="on a run")["cold_store_orders"]
        if o["title"] == "Cimentos de Souselas" and o["run_id"] == run["id"]
    )
    can = next(c for c in order["cans"] if c["can_no"] == 1)
    tools.strike_off_can(order_can_id=can["id"])
    film = next(i for i in tools.list_items(title_contains="TEUC: um ensaio")["items"] if i["place"] == "Sebal")
    session = next(s for s in run["free_sessions"] if s["session_day"] == "2026-07-02")
    request = tools.request_consent(
        item_id=film["id"], can_nos=[1], van_run_id=run["id"], wish_day=session["session_day"], wish_slot_id=session["slot_id"],
        note="I know there is a print, but I want to read the edge codes",
    )["cold_store_order"]
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"The first can of Cimentos de Souselas is struck off, and your request {request['order_no']} for the original of TEUC: um ensaio awaits Dra. Taborda's consent, with the wish 2 July, {session['slot']} at {session['starts']}.",
    }

def solve(tools):
    card = tools.get_my_card()["card"]
    film = next(i for i in tools.list_items(title_contains="Queima das Fitas")["items"] if i["place"] == "Sebal")
    run = tools.list_van_runs(first_day="2026-09-29", last_day="2026-09-29")["van_runs"][0]
    session = next(s for s in run["free_sessions"] if s["session_day"] == "2026-10-01")
    try:
        tools.request_consent(
            item_id=film["id"], can_nos=[1], van_run_id=run["id"], wish_day=session["session_day"], wish_slot_id=session["slot_id"],
        )
    except tools.Error as error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "cold_store_issue",
            "message": f"That cannot be done with a {card['class_name']} card: where there is an access copy the original goes to I cards only, and Dra. Taborda is not asked ({error}).",
        }
    return {"outcome": "done", "answers": {}, "reason": None, "message": "The request awaits Dra. Taborda's consent."}

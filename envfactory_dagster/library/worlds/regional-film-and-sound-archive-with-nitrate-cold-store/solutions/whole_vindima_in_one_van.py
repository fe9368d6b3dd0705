def solve(tools):
    film = next(i for i in tools.list_items(title_contains="Vindima na Bairrada")["items"])
    run = tools.list_van_runs(first_day="2026-06-26", last_day="2026-06-26")["van_runs"][0]
    session = run["free_sessions"][0]
    try:
        tools.order_cans(
            item_id=film["id"], can_nos=[1, 2, 3], van_run_id=run["id"], session_day=session["session_day"],
            session_slot_id=session["slot_id"],
        )
    except tools.Error as error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "van_load",
            "message": f"That cannot be done, and I have ordered nothing: a reader may have at most 2 cans on one van run, and Vindima na Bairrada has three ({error}).",
        }
    return {"outcome": "done", "answers": {}, "reason": None, "message": "All three cans are ordered."}

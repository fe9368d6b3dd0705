def solve(tools):
    def refused():
        names = [f"{c['surname']} ({c['status']})" for c in tools.list_my_commissions()["commissions"]
                 if c["status"] in ("requested", "active", "paused")]
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "open_commission_limit",
            "message": "I cannot start a search for the Brandt family: a client may have at most 2 commissions at a time "
                       f"that are requested, active or paused, and you have {len(names)}: {', '.join(names)}. "
                       "Nothing was changed.",
        }

    if tools.get_my_profile()["open_commissions"] >= 2:
        return refused()
    try:
        tools.request_commission(surname="Brandt", region="Pomerania", budget_hours=20)
    except tools.Error:
        return refused()
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": "A search for the Brandt family from Pomerania is requested with a budget of 20 hours; "
                   "your other searches stay as they are.",
    }

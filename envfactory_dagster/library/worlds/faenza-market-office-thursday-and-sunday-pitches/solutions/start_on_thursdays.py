def solve(tools):
    me = tools.get_my_details()["trader"]
    given = []
    for day in ("2026-06-04", "2026-06-11", "2026-06-18"):
        calls = tools.list_spunta_assignments(first_day=day, last_day=day, weekday="thursday")["spunta_assignments"]
        given.append(sum(c["status"] in ("accepted", "left_early") for c in calls))
    if min(given) < 2:
        return {
            "outcome": "done",
            "answers": {"names_before": None},
            "reason": None,
            "message": f"{given[0]}, {given[1]} and {given[2]} pitches were given out; you have not been entered.",
        }
    tools.enter_spunta_register(weekday="thursday", stall_m=7.0)
    active = [e for e in tools.list_spunta_register(weekday="thursday")["spunta_register_entries"] if e["status"] == "active"]
    before = [e["trader_id"] for e in active].index(me["id"])
    return {
        "outcome": "done",
        "answers": {"names_before": before},
        "reason": None,
        "message": f"{given[0]}, {given[1]} and {given[2]} pitches were given out; you are in the Thursday register, with {before} names before yours.",
    }

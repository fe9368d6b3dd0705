def solve(tools):
    me = tools.get_my_profile()
    days = []
    for hour in tools.search_programmes(first_day="2026-04-13", last_day="2026-04-23", only_mine=True, mode="live")["programmes"]:
        if hour["host_id"] == me["id"] and hour["status"] in ("planned", "confirmed"):
            tools.change_programme(programme_id=hour["id"], mode="recorded")
            days.append(hour["starts_at"][:10])
    return {
        "outcome": "done",
        "answers": {"days": days},
        "reason": None,
        "message": "These hours are recorded ones now: " + ", ".join(days) + ".",
    }

def solve(tools):
    me = tools.get_my_profile()
    hours = [
        one for one in tools.search_programmes(first_day="2026-07-09", last_day="2026-07-31", only_mine=True)["programmes"]
        if one["host_id"] == me["id"] and one["status"] != "called_off"
    ]
    longest = None
    most = -1
    for hour in hours:
        items = tools.get_programme(programme_id=hour["id"])["running_order_items"]
        speech = sum(one["seconds"] for one in items if one["kind"] == "speech")
        if speech > most:
            most = speech
            longest = (hour, items)
    hour, items = longest
    stretches = [one for one in items if one["kind"] == "speech"]
    closing = next(one for one in stretches if one["title"] == "Closing words")
    stretch = max(stretches, key=lambda one: one["seconds"])
    tools.add_music(
        programme_id=hour["id"], title="Heinaöö", artist="Ansambel Kanarbik", estonian=1, seconds=268, position=closing["position"]
    )
    tools.change_item(running_order_item_id=stretch["id"], seconds=stretch["seconds"] - 268)
    return {
        "outcome": "done",
        "answers": {"hour_on": hour["starts_at"][:10], "stretch": stretch["title"]},
        "reason": None,
        "message": f"You speak longest in {hour['title']} on {hour['starts_at'][:10]}; Heinaöö is in before the closing words, "
                   f"and {stretch['title']} is 4 minutes 28 shorter.",
    }

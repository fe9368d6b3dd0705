def _hour(tools, day):
    hours = tools.search_programmes(first_day=day, last_day=day, only_mine=True)["programmes"]
    return next(one for one in hours if one["series_title"] == "Aiajutud" and one["starts_at"][11:16] == "18:00" and one["status"] != "called_off")


def solve(tools):
    hour = _hour(tools, "2026-07-02")
    items = tools.get_programme(programme_id=hour["id"])["running_order_items"]
    dropped = next(one for one in items if one["kind"] == "music" and one["title"] == "Sirelite tänav")
    tools.change_item(
        running_order_item_id=dropped["id"], title="Mesilase valss", artist="Ansambel Kanarbik", estonian=1, seconds=220
    )
    tools.log_programme(programme_id=hour["id"])
    series = next(one for one in tools.list_series(title="Aiajutud")["series"] if one["title"] == "Aiajutud")
    planned = tools.plan_programme(
        series_id=series["id"], title="Marjad purki", mode="recorded", starts_at=f"2026-07-30T{series['start_hour']:02d}:00:00"
    )["programme"]
    tools.add_speech(programme_id=planned["id"], title="Opening words", seconds=300)
    tools.add_talk(programme_id=planned["id"], title="Talk by Maimu Rebane", guest_name="Maimu Rebane", seconds=1200)
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"Your Aiajutud of 2 July is corrected and logged, and Marjad purki is planned for 30 July at {planned['starts_at'][11:16]}, "
                   "with your opening words and Maimu Rebane's talk in it.",
    }

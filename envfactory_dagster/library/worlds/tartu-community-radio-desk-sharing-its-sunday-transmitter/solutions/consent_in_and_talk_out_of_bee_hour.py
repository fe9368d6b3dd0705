def _hour(tools, day):
    hours = tools.search_programmes(first_day=day, last_day=day, only_mine=True)["programmes"]
    return next(one for one in hours if one["series_title"] == "Aiajutud" and one["starts_at"][11:16] == "18:00" and one["status"] != "called_off")


def solve(tools):
    hour = _hour(tools, "2026-07-16")
    items = tools.get_programme(programme_id=hour["id"])["running_order_items"]
    swarming = next(one for one in items if one["kind"] == "talk" and one["guest_name"] == "Helju Saar")
    slugs = next(one for one in items if one["kind"] == "talk" and one["guest_name"] == "Tõnu Kivi")
    closing = next(one for one in reversed(items) if one["kind"] == "speech" and "closing words" in one["title"].lower())
    tools.note_consent(running_order_item_id=swarming["id"], consent_on="2026-07-07")
    left = tools.remove_item(running_order_item_id=slugs["id"])["programme"]
    missing = 58 * 60 - left["total_seconds"]
    tools.change_item(running_order_item_id=closing["id"], seconds=closing["seconds"] + missing)
    confirmed = tools.confirm_programme(programme_id=hour["id"])["programme"]
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"Helju Saar's signature of 7 July is noted, Tõnu Kivi's talk is out, and {confirmed['title']} of 16 July "
                   f"comes to {confirmed['total_seconds'] // 60} minutes and is confirmed.",
    }

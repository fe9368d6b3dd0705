def solve(tools):
    hours = tools.search_programmes(first_day="2026-04-08", last_day="2026-04-08", only_mine=True)["programmes"]
    hour = next(one for one in hours if one["series_title"] == "Plaadiriiul" and one["starts_at"] == "2026-04-08T20:00:00" and one["status"] != "called_off")
    items = tools.get_programme(programme_id=hour["id"])["running_order_items"]
    closing = next(one for one in reversed(items) if one["kind"] == "speech" and "closing words" in one["title"].lower())
    added = tools.add_music(
        programme_id=hour["id"], title="Jõeudu", artist="Trio Haab", estonian=1, seconds=270, position=closing["position"]
    )["programme"]
    missing = 59 * 60 - added["total_seconds"]
    tools.change_item(running_order_item_id=closing["id"], seconds=closing["seconds"] + missing)
    confirmed = tools.confirm_programme(programme_id=hour["id"])["programme"]
    estonian = confirmed["estonian_pieces"]
    return {
        "outcome": "done",
        "answers": {"estonian_pieces": estonian},
        "reason": None,
        "message": f"Plaadiriiul of 8 April fills 59 minutes and is confirmed; {estonian} of its {confirmed['music_pieces']} pieces are Estonian.",
    }

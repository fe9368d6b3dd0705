def solve(tools):
    mira = next(c for c in tools.list_my_children()["children"] if c["name"] == "Mira")
    places = tools.list_my_outing_places(
        child_id=mira["id"], status="taken", first_day="2026-05-12", last_day="2026-05-31"
    )["outing_places"]
    days = []
    for place in places:
        tools.give_up_outing_place(outing_place_id=place["id"])
        days.append(f"{place['leaves_at'][:10]} ({place['meeting_spot']})")
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": "Mira's places on these outings are given up: " + ", ".join(days) + ". Her place this afternoon stays.",
    }

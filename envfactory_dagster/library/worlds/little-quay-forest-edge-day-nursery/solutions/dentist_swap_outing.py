import datetime


def say(day):
    day = datetime.date.fromisoformat(day[:10])
    return f"{day.day} {day:%B %Y}"


def my_child(tools, name):
    return next(c for c in tools.list_my_children()["children"] if c["name"] == name)


def solve(tools):
    theo = my_child(tools, "Theo")
    place = tools.list_my_outing_places(
        child_id=theo["id"], status="taken", first_day="2026-10-16", last_day="2026-10-16"
    )["outing_places"][0]
    outings = tools.search_woodland_outings(status="open", first_day="2026-10-17")["woodland_outings"]
    free = []
    for outing in outings:
        detail = tools.get_woodland_outing(woodland_outing_id=outing["id"])
        down = any(p["child_id"] == theo["id"] and p["status"] == "taken" for p in detail["my_outing_places"])
        if not down and detail["taken_places"] < 4 * detail["staff_count"]:
            free.append(detail)
    wanted = [o for o in free if o["meeting_spot"] == "Boat Shed" and o["leaves_at"][:10] <= "2026-10-31"]
    chosen = (wanted or free)[0]
    tools.give_up_outing_place(outing_place_id=place["id"])
    tools.take_outing_place(woodland_outing_id=chosen["id"], child_id=theo["id"])
    message = (
        f"Theo's place on {say(place['leaves_at'])} is given up. He now has a place on the outing on "
        f"{say(chosen['leaves_at'])}, which leaves at {chosen['leaves_at'][11:16]} and meets at {chosen['meeting_spot']}."
    )
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": message,
    }

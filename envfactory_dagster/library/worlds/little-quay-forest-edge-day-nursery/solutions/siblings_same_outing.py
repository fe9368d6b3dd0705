import datetime


def say(day):
    day = datetime.date.fromisoformat(day[:10])
    return f"{day.day} {day:%B %Y}"


def my_child(tools, name):
    return next(c for c in tools.list_my_children()["children"] if c["name"] == name)


def solve(tools):
    children = [my_child(tools, name) for name in ("Theo", "Ada")]
    week = {"first_day": "2026-10-26", "last_day": "2026-10-30"}
    outings = tools.search_woodland_outings(status="open", **week)["woodland_outings"]
    for outing in sorted(outings, key=lambda o: o["leaves_at"]):
        chosen = tools.get_woodland_outing(woodland_outing_id=outing["id"])
        down = {p["child_id"] for p in chosen["my_outing_places"] if p["status"] == "taken"}
        missing = [c for c in children if c["id"] not in down]
        if chosen["taken_places"] + len(missing) <= 4 * chosen["staff_count"]:
            break
    else:
        raise ValueError("no outing that week has room for both")
    given_up = []
    for child in children:
        for place in tools.list_my_outing_places(child_id=child["id"], status="taken", **week)["outing_places"]:
            if place["woodland_outing_id"] != chosen["id"]:
                tools.give_up_outing_place(outing_place_id=place["id"])
                given_up.append(f"{child['name']}'s place on {say(place['leaves_at'])}")
    for child in missing:
        tools.take_outing_place(woodland_outing_id=chosen["id"], child_id=child["id"])
    message = (
        f"Theo and Ada both have a place on the woodland outing on {say(chosen['leaves_at'])}, which leaves at "
        f"{chosen['leaves_at'][11:16]} and meets at {chosen['meeting_spot']}."
    )
    if given_up:
        message += f" Given up: {', '.join(given_up)}."
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": message,
    }

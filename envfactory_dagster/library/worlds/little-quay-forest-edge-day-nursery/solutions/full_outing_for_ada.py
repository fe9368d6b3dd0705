import datetime


def say(day):
    day = datetime.date.fromisoformat(day[:10])
    return f"{day.day} {day:%B %Y}"


def my_child(tools, name):
    return next(c for c in tools.list_my_children()["children"] if c["name"] == name)


def solve(tools):
    ada = my_child(tools, "Ada")
    found = tools.search_woodland_outings(first_day="2026-10-22", last_day="2026-10-22")["woodland_outings"][0]
    outing = tools.get_woodland_outing(woodland_outing_id=found["id"])
    limit = 4 * outing["staff_count"]
    if outing["taken_places"] + 1 <= limit:
        tools.take_outing_place(woodland_outing_id=outing["id"], child_id=ada["id"])
        return {
            "outcome": "done",
            "answers": {},
            "reason": None,
            "message": f"Ada has a place on the woodland outing on {say(outing['leaves_at'])}.",
        }
    message = (
        f"I cannot get Ada a place on the woodland outing on {say(outing['leaves_at'])}: the taken places, the new one "
        f"included, may number at most 4 for each staff member assigned to it. "
        f"With {outing['staff_count']} staff that is {limit}, and {outing['taken_places']} are already taken."
    )
    return {
        "outcome": "refused",
        "answers": {},
        "reason": "outing_staff_ratio",
        "message": message,
    }

import datetime


def say(day):
    day = datetime.date.fromisoformat(day[:10])
    return f"{day.day} {day:%B %Y}"


def my_child(tools, name):
    return next(c for c in tools.list_my_children()["children"] if c["name"] == name)


def solve(tools):
    mira = my_child(tools, "Mira")
    outings = tools.search_woodland_outings(
        status="open", first_day="2026-05-18", last_day="2026-05-22"
    )["woodland_outings"]
    fitting = []
    for outing in outings:
        if outing["returns_at"][11:16] > "12:30":
            continue
        detail = tools.get_woodland_outing(woodland_outing_id=outing["id"])
        if detail["taken_places"] < 4 * detail["staff_count"]:
            fitting.append(detail)
    chosen = fitting[1]
    day = chosen["leaves_at"][:10]
    tools.take_outing_place(woodland_outing_id=chosen["id"], child_id=mira["id"])
    tools.give_collection_permission(
        child_id=mira["id"],
        collector_name="Edith Vane",
        collector_birth_date="1957-03-06",
        first_day=day,
        last_day=day,
    )
    message = (
        f"Mira has a place on the woodland outing on {say(day)}, which meets at {chosen['meeting_spot']}, "
        f"leaves at {chosen['leaves_at'][11:16]} and is back at {chosen['returns_at'][11:16]}. "
        f"Edith Vane may collect her on that day only."
    )
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": message,
    }

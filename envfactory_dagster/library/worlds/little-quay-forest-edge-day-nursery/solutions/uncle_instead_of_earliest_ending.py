import datetime


def say(day):
    day = datetime.date.fromisoformat(day[:10])
    return f"{day.day} {day:%B %Y}"


def my_child(tools, name):
    return next(c for c in tools.list_my_children()["children"] if c["name"] == name)


def solve(tools):
    theo = my_child(tools, "Theo")
    first, last = "2026-10-19", "2026-12-18"
    overlapping = tools.list_my_collection_permissions(
        child_id=theo["id"], status="given", from_day=first, until_day=last
    )["collection_permissions"]
    message = f"Karim Haddad may collect Theo from {say(first)} to {say(last)}."
    if len(overlapping) >= 4:
        ending = min(overlapping, key=lambda p: p["last_day"])
        tools.withdraw_collection_permission(collection_permission_id=ending["id"])
        message += (
            f" Theo already had {len(overlapping)} people in that time, so the permission of "
            f"{ending['collector_name']}, which would have ended first, on {say(ending['last_day'])}, is withdrawn."
        )
    tools.give_collection_permission(
        child_id=theo["id"],
        collector_name="Karim Haddad",
        collector_birth_date="1989-09-21",
        first_day=first,
        last_day=last,
    )
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": message,
    }

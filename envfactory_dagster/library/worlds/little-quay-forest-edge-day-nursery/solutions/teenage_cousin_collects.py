import datetime


def say(day):
    day = datetime.date.fromisoformat(day[:10])
    return f"{day.day} {day:%B %Y}"


def my_child(tools, name):
    return next(c for c in tools.list_my_children()["children"] if c["name"] == name)


def solve(tools):
    mira = my_child(tools, "Mira")
    born = datetime.date(2011, 2, 3)
    first = datetime.date(2026, 5, 25)
    age = first.year - born.year - ((first.month, first.day) < (born.month, born.day))
    if age >= 16:
        tools.give_collection_permission(
            child_id=mira["id"],
            collector_name="Felix Vane",
            collector_birth_date="2011-02-03",
            first_day="2026-05-25",
            last_day="2026-05-29",
        )
        return {
            "outcome": "done",
            "answers": {},
            "reason": None,
            "message": "Felix Vane may collect Mira from 25 to 29 May 2026.",
        }
    message = (
        f"I cannot give Felix Vane permission to collect {mira['name']}: a collection permission can be given only to a "
        f"person who is at least 16 years old on its first day. "
        f"Born on {say(born.isoformat())}, Felix will be only {age} on {say(first.isoformat())}."
    )
    return {
        "outcome": "refused",
        "answers": {},
        "reason": "collector_age_and_number",
        "message": message,
    }

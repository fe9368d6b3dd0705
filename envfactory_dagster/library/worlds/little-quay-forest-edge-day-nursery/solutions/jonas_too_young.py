import datetime


def say(day):
    day = datetime.date.fromisoformat(day[:10])
    return f"{day.day} {day:%B %Y}"


def my_child(tools, name):
    return next(c for c in tools.list_my_children()["children"] if c["name"] == name)


def solve(tools):
    jonas = my_child(tools, "Jonas")
    outing = tools.search_woodland_outings(first_day="2026-05-19", last_day="2026-05-19")["woodland_outings"][0]
    born = datetime.date.fromisoformat(jonas["birth_date"])
    day = datetime.date.fromisoformat(outing["leaves_at"][:10])
    months = (day.year - born.year) * 12 + day.month - born.month - (day.day < born.day)
    if months >= 24:
        tools.take_outing_place(woodland_outing_id=outing["id"], child_id=jonas["id"])
        return {
            "outcome": "done",
            "answers": {},
            "reason": None,
            "message": f"Jonas has a place on the woodland outing on {say(outing['leaves_at'])}.",
        }
    message = (
        f"I cannot put Jonas down for the woodland outing on {say(outing['leaves_at'])}: a place can be taken only for "
        f"a child who is at least 24 months old on the date of the outing. "
        f"Jonas, born on {say(jonas['birth_date'])}, will be only {months} months old that day."
    )
    return {
        "outcome": "refused",
        "answers": {},
        "reason": "outing_minimum_age",
        "message": message,
    }

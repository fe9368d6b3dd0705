import datetime


def say(day):
    day = datetime.date.fromisoformat(day[:10])
    return f"{day.day} {day:%B %Y}"


def my_child(tools, name):
    return next(c for c in tools.list_my_children()["children"] if c["name"] == name)


def names(permissions):
    return list(dict.fromkeys(p["collector_name"] for p in permissions))


def listed(people):
    return ", ".join(people) or "nobody"


def solve(tools):
    allowed, ending = {}, {}
    for name in ("Theo", "Ada"):
        holding = tools.list_my_collection_permissions(
            child_id=my_child(tools, name)["id"],
            status="given",
            from_day="2026-11-02",
            until_day="2026-11-02",
        )["collection_permissions"]
        allowed[name] = names(holding)
        ending[name] = names(p for p in holding if p["last_day"] < "2026-11-30")
    theo_only = [n for n in allowed["Theo"] if n not in allowed["Ada"]]
    ada_only = [n for n in allowed["Ada"] if n not in allowed["Theo"]]
    return {
        "outcome": "done",
        "answers": {
            "theo_collectors": allowed["Theo"],
            "theo_ending": ending["Theo"],
            "ada_collectors": allowed["Ada"],
            "ada_ending": ending["Ada"],
            "one_child_only": theo_only + ada_only,
        },
        "reason": None,
        "message": (
            f"On {say('2026-11-02')} Theo may be collected by {listed(allowed['Theo'])} "
            f"(ending before 30 November: {listed(ending['Theo'])}), and Ada by {listed(allowed['Ada'])} "
            f"(ending before 30 November: {listed(ending['Ada'])}). "
            f"On that Monday, allowed for Theo but not Ada: {listed(theo_only)}; "
            f"for Ada but not Theo: {listed(ada_only)}."
        ),
    }

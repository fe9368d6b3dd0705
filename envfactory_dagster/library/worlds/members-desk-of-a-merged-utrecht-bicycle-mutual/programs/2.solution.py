import datetime


def _days(starts_on, ends_on):
    day, last = datetime.date.fromisoformat(starts_on), datetime.date.fromisoformat(ends_on)
    while day <= last:
        if day.year == 2026:
            yield day
        day += datetime.timedelta(days=1)


def _own_risk(bicycle, day, lombok_stayer):
    sold, loss = datetime.date.fromisoformat(bicycle["first_sold_on"]), datetime.date.fromisoformat(day)
    age = loss.year - sold.year - ((loss.month, loss.day) < (sold.month, sold.day))
    if age < 3:
        return 3500
    if age < 5:
        return 6000
    return 5000 if lombok_stayer else 8500


def solve(tools):
    first, last = "2026-08-24", "2026-10-05"
    homes = [a for a in tools.list_addresses(kind="home")["addresses"] if a["starts_on"] <= first]
    lombok_stayer = tools.get_membership()["member"]["old_fund"] == "lombok" and len(homes) <= 1
    wanted = ("Gazelle Chamonix", "Koga E-Nova", "Union Classic")
    bicycles = {f"{b['make']} {b['model']}": b for b in tools.list_bicycles(covered_only=True)["bicycles"]}
    chosen = None
    for name in wanted:
        bicycle = bicycles[name]
        days = set(_days(first, last))
        for notice in tools.list_travel_notices(bicycle_id=bicycle["id"], year=2026)["travel_notices"]:
            if notice["area"] == "elsewhere" and notice["withdrawn_at"] is None:
                days.update(_days(notice["starts_on"], notice["ends_on"]))
        if len(days) <= 60:
            chosen = (_own_risk(bicycle, first, lombok_stayer), bicycle["id"], name, 60 - len(days))
            break
    own_risk, bicycle_id, name, left = chosen
    tools.give_travel_notice(
        bicycle_id=bicycle_id, countries=["Switzerland", "Italy"], starts_on=first, ends_on=last
    )
    return {
        "outcome": "done",
        "answers": {"bicycle": name, "own_risk": own_risk, "days_left": left},
        "reason": None,
        "message": (
            f"I gave notice for the {name}: its own risk on 24 August is {own_risk // 100} euros,"
            f" and it has {left} days abroad left in 2026."
        ),
    }

import datetime


def _own_risk(first_sold_on, day, lombok_stayer):
    sold = datetime.date.fromisoformat(first_sold_on)
    age = day.year - sold.year - ((day.month, day.day) < (sold.month, sold.day))
    if age < 3:
        return 35
    if age < 5:
        return 60
    return 50 if lombok_stayer else 85


def solve(tools):
    today, end = datetime.date(2026, 4, 21), datetime.date(2026, 12, 31)
    homes = [a for a in tools.list_addresses(kind="home")["addresses"] if a["starts_on"] <= end.isoformat()]
    lombok_stayer = tools.get_membership()["member"]["old_fund"] == "lombok" and len(homes) <= 1
    answers = {"at_35": [], "at_50": [], "at_60": [], "at_85": []}
    changes, lines = [], []
    for bicycle in tools.list_bicycles(covered_only=True)["bicycles"]:
        name = f"{bicycle['make']} {bicycle['model']}"
        now = _own_risk(bicycle["first_sold_on"], today, lombok_stayer)
        answers[f"at_{now}"].append(name)
        lines.append(f"{name} {now}")
        day = today
        while day < end:
            before = _own_risk(bicycle["first_sold_on"], day, lombok_stayer)
            day += datetime.timedelta(days=1)
            after = _own_risk(bicycle["first_sold_on"], day, lombok_stayer)
            if after != before:
                changes.append((day.isoformat(), name, "more" if after > before else "less", after))
    changes.sort()
    answers["changing"] = [c[1] for c in changes]
    answers["change_days"] = [c[0] for c in changes]
    answers["more_or_less"] = [c[2] for c in changes]
    told = "; ".join(f"{name} on {day} to {after} ({way})" for day, name, way, after in changes)
    return {
        "outcome": "done",
        "answers": answers,
        "reason": None,
        "message": f"In euros today: {', '.join(lines)}. Before the end of the year it changes for {told}.",
    }

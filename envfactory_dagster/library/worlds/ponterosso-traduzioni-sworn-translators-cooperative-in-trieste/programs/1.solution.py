def solve(tools):
    jobs = {job["id"]: job for job in tools.search_incarichi(mine=True, booked=True)["incarichi"]}
    owed = {}
    for day in ("2026-11-05", "2026-11-10"):
        places = tools.list_giuramenti(mine=True, first_day=day, last_day=day, outcome="awaited")["giuramenti"]
        owed[day] = {}
        for place in places:
            name = place["cliente_name"]
            owed[day][name] = owed[day].get(name, 0) + jobs[place["incarico_id"]]["due_cents"]
    best = max(owed, key=lambda day: sum(owed[day].values()))
    customers = sorted(owed[best])
    first = max(customers, key=lambda name: owed[best][name])
    return {
        "outcome": "done",
        "answers": {"day": best, "customers": customers, "ring_first": first},
        "reason": None,
        "message": f"Be at the counter on {best}: you will be seeing {', '.join(customers)}, and {first} owes the most.",
    }

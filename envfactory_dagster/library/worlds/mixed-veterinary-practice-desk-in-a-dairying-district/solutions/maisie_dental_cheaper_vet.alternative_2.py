from datetime import datetime, timedelta, date

PICK = "middle"


def solve(tools):
    maisie = next(p for p in tools.search_patients(name="Maisie")["patients"] if p["name"] == "Maisie")
    dental = next(s for s in tools.search_services(name="dental")["services"] if s["place"] == "clinic")
    plan = next(m for m in tools.list_plan_memberships(patient_id=maisie["id"])["wellness_plan_memberships"] if m["ends_on"] == "2025-06-30" and m["status"] == "active")
    left = plan["dental_allowance_cents"] - plan["dental_used_cents"]
    weekday = {"Aitken": 1, "McLeod": 3}
    offers = []
    for estimate in tools.search_estimates(patient_id=maisie["id"], status="sent")["estimates"]:
        if estimate["service_id"] != dental["id"]:
            continue
        for name, number in weekday.items():
            if name in estimate["vet_name"]:
                offers.append((estimate["amount_cents"] - min(left, estimate["amount_cents"]), estimate["id"], estimate, number))
    mine, _, estimate, number = min(offers, key=lambda o: (o[0], o[1]))
    length = timedelta(minutes=dental["base_minutes"] + dental["minutes_per_head"])
    slots = []
    for shift in tools.list_roster_shifts(first_day="2025-06-09", last_day=plan["ends_on"], vet_id=estimate["vet_id"], kind="day")["roster_shifts"]:
        day = shift["starts_at"][:10]
        if date.fromisoformat(day).weekday() != number or day == "2025-06-17":
            continue
        taken = [
            (datetime.fromisoformat(a["starts_at"]), datetime.fromisoformat(a["ends_at"]))
            for a in tools.list_vet_diary(vet_id=estimate["vet_id"], day=day)["diary"]
        ]
        start = datetime.fromisoformat(shift["starts_at"])
        while start + length <= datetime.fromisoformat(shift["ends_at"]):
            if all(start + length <= begin or start >= end for begin, end in taken):
                slots.append(start)
            start += timedelta(minutes=30)
    position = {"first": 0, "second": 1, "middle": len(slots) // 2, "last": len(slots) - 1}[PICK]
    tools.sign_estimate(estimate_id=estimate["id"])
    visit = tools.book_procedure(estimate_id=estimate["id"], starts_at=slots[position].isoformat())["appointment"]
    return {
        "outcome": "done",
        "answers": {"pay_myself": mine},
        "reason": None,
        "message": f"Maisie's dental with {visit['vet_name']} is accepted and booked for {visit['starts_at'][:10]} at {visit['starts_at'][11:16]}; "
                   f"you pay ${mine / 100:.2f} yourself after the plan's ${min(left, visit['price_cents']) / 100:.2f}.",
    }

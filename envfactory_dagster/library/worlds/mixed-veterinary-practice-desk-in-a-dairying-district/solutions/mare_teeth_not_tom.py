from datetime import datetime, timedelta

PICK = "first"


def solve(tools):
    tui = next(p for p in tools.search_patients(name="Tui", species="horse")["patients"] if p["name"] == "Tui")
    service = next(s for s in tools.search_services(name="equine dental with sedation")["services"])
    prices = tools.list_vet_prices(service_id=service["id"])["prices"]
    ruth = next(p for p in prices if "Ruth" in p["vet_name"])
    priya = next(p for p in prices if "Priya" in p["vet_name"])
    vet = priya if ruth["price_cents"] > priya["price_cents"] else ruth
    travel = tools.get_account()["account"]["travel_cents"]
    if vet["price_cents"] + travel > 32000:
        return {
            "outcome": "done",
            "answers": {},
            "reason": None,
            "message": f"{vet['vet_name']} would come to ${(vet['price_cents'] + travel) / 100:.2f}, over your $320, so nothing is booked.",
        }
    length = timedelta(minutes=service["base_minutes"] + service["minutes_per_head"])
    slots = []
    for shift in tools.list_roster_shifts(first_day="2025-06-10", last_day="2025-06-30", vet_id=vet["vet_id"], kind="day")["roster_shifts"]:
        day = shift["starts_at"][:10]
        if day in ("2025-06-10", "2025-06-12"):
            continue
        taken = [
            (datetime.fromisoformat(a["starts_at"]), datetime.fromisoformat(a["ends_at"]))
            for a in tools.list_vet_diary(vet_id=vet["vet_id"], day=day)["diary"]
            + tools.search_appointments(status="booked", patient_id=tui["id"], first_day=day, last_day=day)["appointments"]
        ]
        start = datetime.fromisoformat(shift["starts_at"])
        while start + length <= min(datetime.fromisoformat(day + "T12:00:00"), datetime.fromisoformat(shift["ends_at"])):
            if all(start + length <= begin or start >= end for begin, end in taken):
                slots.append(start)
            start += timedelta(minutes=30)
    position = {"first": 0, "second": 1, "middle": len(slots) // 2, "last": len(slots) - 1}[PICK]
    visit = tools.book_appointment(patient_id=tui["id"], service_id=service["id"], vet_id=vet["vet_id"], starts_at=slots[position].isoformat())["appointment"]
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"Not awful at all: {visit['vet_name']} does Tui's teeth with sedation on {visit['starts_at'][:10]} at {visit['starts_at'][11:16]}, "
                   f"${(visit['price_cents'] + visit['travel_cents']) / 100:.2f} with travel.",
    }

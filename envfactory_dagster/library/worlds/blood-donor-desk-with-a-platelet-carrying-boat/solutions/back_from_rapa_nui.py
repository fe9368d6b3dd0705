import datetime


def card(tools, given, surnames):
    """The card number of somebody known by name."""
    for d in tools.search_donors(surname=surnames)["result"]:
        if d["given_names"] == given and d["surnames"] == surnames:
            return d["donor_id"]


def solve(tools):
    donor_id = card(tools, "Sergio", "Montenegro Olivares")
    booked = tools.list_appointments(
        donor_id=donor_id, first_day="2026-08-13", last_day="2026-08-13", state="booked"
    )["appointments"]
    mine = next(a for a in booked if a["kind"] == "whole_blood")
    tools.cancel_appointment(appointment_id=mine["appointment_id"], reason="donor")
    tools.add_travel_deferral(donor_id=donor_id, place="Hanga Roa", risk="arbovirus", returned_on="2026-07-26")
    tools.add_medication_deferral(donor_id=donor_id, medicine="antibiotic", last_dose_on="2026-07-30")
    first = tools.get_donor_eligibility(donor_id=donor_id, kind="whole_blood")["next_date"]
    day = datetime.date.fromisoformat(first)
    free = []
    while not free:
        on = day.isoformat()
        free = sorted(
            tools.list_slots(site_code="vina", date=on, kind="whole_blood")["result"], key=lambda x: x["starts_at"]
        )
        if free and tools.get_donor_eligibility(donor_id=donor_id, kind="whole_blood", on=on)["answer"] != "yes":
            free = []
        day += datetime.timedelta(days=1)
    slot = free[0]
    tools.book_appointment(donor_id=donor_id, slot_id=slot["slot_id"], kind="whole_blood")
    on = slot["starts_at"][:10]
    return {
        "outcome": "done",
        "answers": {"day": on},
        "reason": None,
        "message": f"Both deferrals are on his card, 13 August is cancelled, and he is booked at Viña for {on}.",
    }

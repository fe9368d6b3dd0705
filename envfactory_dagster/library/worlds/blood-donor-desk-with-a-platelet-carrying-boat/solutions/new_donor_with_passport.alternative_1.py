def solve(tools):
    donor = tools.register_donor(
        body={
            "passport": "148820377",
            "given_names": "Yorgelis Andreína",
            "surnames": "Marcano Brito",
            "born_on": "2001-03-14",
            "sex": "F",
            "phone": "+56 9 4417 2096",
            "call_preference": "text",
        }
    )
    tools.record_weight(donor_id=donor["donor_id"], kg=56.5, site_code="casa_central")
    slots = tools.list_slots(site_code="casa_central", date="2026-08-07", kind="whole_blood")["result"]
    free = sorted(x["starts_at"] for x in slots if x["state"] == "free" and x["starts_at"][11:16] > "14:00")
    chosen = free[-1]
    slot = next(x for x in slots if x["starts_at"] == chosen)
    tools.book_appointment(donor_id=donor["donor_id"], slot_id=slot["slot_id"], kind="whole_blood")
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"Yorgelis Marcano has her card with 56.5 kg on it and is booked for 7 August at {chosen[11:16]}.",
    }

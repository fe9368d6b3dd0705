def card(tools, given, surnames):
    """The card number of somebody known by name."""
    for d in tools.search_donors(surname=surnames)["result"]:
        if d["given_names"] == given and d["surnames"] == surnames:
            return d["donor_id"]


def solve(tools):
    donor_id = card(tools, "Carolina", "Basualto Pérez")
    seen = tools.get_donor_eligibility(donor_id=donor_id, kind="whole_blood", on="2026-08-14")
    slots = tools.list_slots(site_code="vina", date="2026-08-14", kind="whole_blood")["result"]
    slot = min((x for x in slots if x["starts_at"][11:16] < "12:00"), key=lambda x: x["starts_at"])
    try:
        tools.book_appointment(donor_id=donor_id, slot_id=slot["slot_id"], kind="whole_blood")
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "donation_interval",
            "message": (
                "Carolina Basualto cannot be booked for 14 August: a woman gives whole blood again only 120 days after "
                f"her last whole blood donation, for her from {seen['next_date']} on."
            ),
        }
    return {"outcome": "done", "answers": {}, "reason": None, "message": f"She is booked at {slot['starts_at']}."}

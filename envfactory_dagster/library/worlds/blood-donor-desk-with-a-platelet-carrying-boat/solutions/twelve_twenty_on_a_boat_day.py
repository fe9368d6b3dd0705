def card(tools, given, surnames):
    """The card number of somebody known by name."""
    for d in tools.search_donors(surname=surnames)["result"]:
        if d["given_names"] == given and d["surnames"] == surnames:
            return d["donor_id"]


def solve(tools):
    donor_id = card(tools, "Jorge Luis", "Cisternas Peña")
    units = tools.get_boat_sailing(sailing_date="2026-10-15")["units"]
    slots = tools.list_slots(site_code="um_portales", date="2026-10-15", free_only=False)["result"]
    slot = next(x for x in slots if x["starts_at"][11:16] == "12:20")
    try:
        tools.book_appointment(donor_id=donor_id, slot_id=slot["slot_id"], kind="whole_blood")
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "boat_thursday_slot",
            "message": (
                f"Jorge Luis Cisternas cannot be booked into the 12:20 of 15 October: {units} units of platelets are "
                "declared for that Thursday's sailing, and then nobody is booked into the 12:20 at Portales."
            ),
        }
    return {"outcome": "done", "answers": {}, "reason": None, "message": "Jorge Luis Cisternas is booked at 12:20."}

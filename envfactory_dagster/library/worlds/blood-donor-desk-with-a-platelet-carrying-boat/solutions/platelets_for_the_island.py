def slot_at(tools, day, hour):
    """The slot at Portales that begins on a day at an hour."""
    for x in tools.list_slots(site_code="um_portales", date=day, free_only=False)["result"]:
        if x["starts_at"][11:16] == hour:
            return x["slot_id"]


def solve(tools):
    tools.declare_boat_platelets(sailing_date="2026-10-08", units=4, ordered_by="San Juan Bautista clinic")
    here = slot_at(tools, "2026-10-08", "12:20")
    booked = tools.list_appointments(slot_id=here, state="booked")["appointments"]
    rosa = next(a for a in booked if a["donor_name"] == "Rosa Elgueta Miranda")
    victor = next(a for a in booked if a["donor_name"] == "Víctor Tobar Salinas")
    tools.move_appointment(
        appointment_id=rosa["appointment_id"],
        slot_id=slot_at(tools, "2026-10-08", "12:00"),
        because_of_boat=True,
    )
    tools.move_appointment(
        appointment_id=victor["appointment_id"],
        slot_id=slot_at(tools, "2026-10-10", "08:40"),
        because_of_boat=True,
    )
    at = {}
    for name, a in (("rosa", rosa), ("victor", victor)):
        for b in tools.list_appointments(donor_id=a["donor_id"], state="booked")["appointments"]:
            if b["appointment_id"] == a["appointment_id"]:
                at[name] = b["starts_at"]
    return {
        "outcome": "done",
        "answers": {
            "rosa_day": at["rosa"][:10],
            "rosa_hour": at["rosa"][11:16],
            "victor_day": at["victor"][:10],
            "victor_hour": at["victor"][11:16],
        },
        "reason": None,
        "message": (
            f"The 4 units are entered. Rosa Elgueta is now booked for {at['rosa'][:10]} at {at['rosa'][11:16]}, "
            f"Víctor Tobar for {at['victor'][:10]} at {at['victor'][11:16]}; neither move counts as their own."
        ),
    }

def solve(tools):
    donor = [
        d
        for d in tools.search_donors(surname="Espinoza Tello")["result"]
        if d["given_names"] == "Nicolás" and d["surnames"] == "Espinoza Tello"
    ][0]
    best = None
    for name, site, day in (("Casa Central", "casa_central", "2026-08-05"), ("Caleta Portales", "um_portales", "2026-08-06")):
        slots = tools.list_slots(site_code=site, date=day, kind="whole_blood")["result"]
        places = sum(s["places_left"] for s in slots)
        if best is None or places > best[0]:
            best = (places, name, slots)
    first = min(best[2], key=lambda s: s["starts_at"])
    tools.book_appointment(donor_id=donor["donor_id"], slot_id=first["slot_id"], kind="whole_blood")
    time = first["starts_at"][11:16]
    return {
        "outcome": "done",
        "answers": {"site": best[1], "time": time},
        "reason": None,
        "message": f"Nicolás Espinoza Tello is booked at {best[1]}, at {time}.",
    }

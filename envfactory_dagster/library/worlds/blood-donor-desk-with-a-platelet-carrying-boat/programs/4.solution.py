import datetime


def solve(tools):
    donors = []
    for given, surnames in (("Pedro", "Ahumada Ríos"), ("Gladys", "Pinto Aravena")):
        donors += [
            (given + " " + surnames, d["donor_id"])
            for d in tools.search_donors(surname=surnames)["result"]
            if d["given_names"] == given and d["surnames"] == surnames
        ]
    day = datetime.date(2026, 10, 10)
    because_of = None
    chosen = None
    while chosen is None:
        on = day.isoformat()
        slots = [
            s
            for s in tools.list_slots(site_code="um_portales", date=on, kind="whole_blood")["result"]
            if s["starts_at"][11:16] >= "09:00" and s["places_left"] == 2
        ]
        if slots:
            waiting = [
                name
                for name, donor_id in donors
                if tools.get_donor_eligibility(donor_id=donor_id, kind="whole_blood", on=on)["answer"] != "yes"
            ]
            if waiting and on == "2026-10-10":
                because_of = waiting[0]
            if not waiting:
                chosen = min(slots, key=lambda s: s["starts_at"])
        day += datetime.timedelta(days=1)
    for name, donor_id in donors:
        tools.book_appointment(donor_id=donor_id, slot_id=chosen["slot_id"], kind="whole_blood")
    on, hour = chosen["starts_at"][:10], chosen["starts_at"][11:16]
    message = f"Both are booked at Portales for {on} at {hour}."
    if because_of is not None:
        message += f" On Saturday {because_of} may not give yet."
    return {
        "outcome": "done",
        "answers": {"day": on, "hour": hour, "because_of": because_of},
        "reason": None,
        "message": message,
    }

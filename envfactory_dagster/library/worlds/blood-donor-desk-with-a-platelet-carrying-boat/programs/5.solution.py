def solve(tools):
    counts = []
    for given, surnames in (("Felipe", "Araya Contreras"), ("Eduardo", "Soto Villalón")):
        donor = [
            d
            for d in tools.search_donors(surname=surnames)["result"]
            if d["given_names"] == given and d["surnames"] == surnames
        ][0]
        donations = tools.list_donor_donations(donor_id=donor["donor_id"], since="2026-01-01")["result"]
        times = sum(1 for d in donations if d["kind"] == "platelets" and not d["failed"])
        counts.append((times, given + " " + surnames, donor["donor_id"]))
    counts.sort()
    _, name, donor_id = counts[0]
    _, other, other_id = counts[1]
    slot = [
        s
        for s in tools.list_slots(site_code="casa_central", date="2026-08-13", kind="platelets")["result"]
        if s["starts_at"][11:16] == "10:15"
    ][0]
    tools.book_appointment(donor_id=donor_id, slot_id=slot["slot_id"], kind="platelets")
    other_from = tools.get_donor_eligibility(donor_id=other_id, kind="platelets")["next_date"]
    return {
        "outcome": "done",
        "answers": {"donor": name, "other_from": other_from},
        "reason": None,
        "message": f"{name} is booked; {other} may give platelets again from {other_from}.",
    }

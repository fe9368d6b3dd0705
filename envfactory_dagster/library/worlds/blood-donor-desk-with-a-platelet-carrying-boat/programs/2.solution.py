import datetime


def solve(tools):
    today = datetime.date(2026, 10, 6)
    names = (
        ("Orlando", "Arancibia Cofré"),
        ("Cecilia", "Garrido Lobos"),
        ("Iván", "Lillo Aguayo"),
        ("Zacarías", "Contreras Ulloa"),
        ("Tatiana", "Berríos Olave"),
    )
    request = tools.list_replacement_requests(hospital="van_buren", patient_initials="HRV")["requests"][0]
    countable = []
    lost = []
    for given, surnames in names:
        donor = [
            d
            for d in tools.search_donors(surname=surnames)["result"]
            if d["given_names"] == given and d["surnames"] == surnames
        ][0]
        fit = []
        for a in tools.list_appointments(donor_id=donor["donor_id"])["appointments"]:
            day = datetime.date.fromisoformat(a["starts_at"][:10])
            if a["state"] in ("donated", "turned_away") and day + datetime.timedelta(days=10) >= today:
                fit.append((day, a["appointment_id"], given + " " + surnames))
        if fit:
            countable.append(min(fit))
        else:
            lost.append(given + " " + surnames)
    day, appointment_id, name = min(countable)
    tools.credit_replacement_donor(code=request["code"], appointment_id=appointment_id)
    return {
        "outcome": "done",
        "answers": {"credited": name, "cannot_be_counted": lost},
        "reason": None,
        "message": f"{name} is credited to HRV; {' and '.join(lost)} cannot be counted as things stand.",
    }

def card(tools, given, surnames):
    """The card number of somebody known by name."""
    for d in tools.search_donors(surname=surnames)["result"]:
        if d["given_names"] == given and d["surnames"] == surnames:
            return d["donor_id"]


def appointment(tools, donor_id, day, state):
    """The appointment of a donor on a day."""
    for a in tools.list_appointments(donor_id=donor_id, first_day=day, last_day=day, state=state)["appointments"]:
        return a["appointment_id"]


def solve(tools):
    felipe = appointment(tools, card(tools, "Felipe", "Araya Contreras"), "2026-07-30", "donated")
    marta = appointment(tools, card(tools, "Marta Elena", "Saavedra Núñez"), "2026-08-03", "turned_away")
    request = tools.open_replacement_request(
        hospital="fricke", patient_initials="JMR", patient_birth_year=1957, procedure="heart_surgery"
    )
    tools.credit_replacement_donor(code=request["code"], appointment_id=felipe)
    left = tools.credit_replacement_donor(code=request["code"], appointment_id=marta)["still_asked"]
    paper = tools.issue_half_day_certificate(
        appointment_id=marta, employer="Supermercado Santa Inés", format="pdf"
    )
    kind = {"half_day": "half day", "attendance": "attendance"}[paper["type"]]
    return {
        "outcome": "done",
        "answers": {"still_asked": left, "paper": kind},
        "reason": None,
        "message": f"The request is open and both are credited; {left} more is asked for. Marta gets a paper of {kind}.",
    }

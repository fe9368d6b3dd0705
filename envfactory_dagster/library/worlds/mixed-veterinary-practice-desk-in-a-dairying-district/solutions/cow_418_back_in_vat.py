from datetime import datetime, timedelta


def solve(tools):
    cow = next(p for p in tools.search_patients(name="418")["patients"] if p["name"].lower() == "cow 418")
    clear = True
    vet = None
    until = None
    for row in tools.list_treatments(patient_id=cow["id"])["treatments"]:
        treatment = tools.get_treatment(treatment_id=row["id"])["treatment"]
        hours = {w["set_by"]: w["hours"] for w in treatment["withholding_periods"] if w["produce"] == "milk"}
        if "vet" in hours:
            figure = hours["vet"]
        elif treatment["off_label"]:
            clear = False
            vet = treatment["vet_name"]
            continue
        else:
            figure = hours["label"]
        end = datetime.fromisoformat(treatment["last_given_at"]) + timedelta(hours=figure)
        until = end if until is None else max(until, end)
    if until is not None and until.date().isoformat() >= "2025-10-18":
        clear = False
    if vet is not None:
        message = (f"No, cow 418 stays out of the vat: four tubes is off the label, so its 96 hours no longer count, "
                   f"and nobody has set a withholding period for her milk yet. You need to hear it from {vet} before Sunday's tanker.")
    elif clear:
        message = "Yes, cow 418's milk may go back in the vat on Saturday."
    else:
        message = f"No, cow 418's milk is withheld until {until.isoformat()}."
    return {
        "outcome": "done",
        "answers": {"back_in_vat_saturday": clear, "vet_to_hear_from": vet},
        "reason": None,
        "message": message,
    }

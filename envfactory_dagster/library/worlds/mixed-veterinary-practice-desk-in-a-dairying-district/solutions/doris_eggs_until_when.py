from datetime import datetime, timedelta


def solve(tools):
    doris = next(p for p in tools.search_patients(name="Doris", species="poultry")["patients"] if p["name"] == "Doris")
    ends = []
    for row in tools.list_treatments(patient_id=doris["id"])["treatments"]:
        treatment = tools.get_treatment(treatment_id=row["id"])["treatment"]
        hours = {w["set_by"]: w["hours"] for w in treatment["withholding_periods"] if w["produce"] == "eggs"}
        by = "vet" if "vet" in hours else "label"
        ends.append((datetime.fromisoformat(treatment["last_given_at"]) + timedelta(hours=hours[by]), by))
    end, by = max(ends)
    first = (end.date() + timedelta(days=1)).isoformat()
    who = "The practice" if by == "vet" else "The label"
    source = "our vet set that date, not the label" if by == "vet" else "the label set that date"
    return {
        "outcome": "done",
        "answers": {"first_day_to_sell": first, "set_by": who},
        "reason": None,
        "message": f"Doris's eggs are withheld until {end.date().isoformat()}, so, as you can't tell hers apart, the first day you can sell any again is {first}; {source}.",
    }

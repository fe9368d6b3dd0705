from datetime import datetime, timedelta, date


def solve(tools):
    wanted = {"Bramble": "bramble_first_day", "Paddock ewes": "ewes_first_day", "Doris": "doris_first_day"}
    patients = {p["name"]: p for p in tools.search_patients()["patients"] if p["name"] in wanted}
    first_days = {}
    for name in wanted:
        last_end = None
        for row in tools.list_treatments(patient_id=patients[name]["id"])["treatments"]:
            treatment = tools.get_treatment(treatment_id=row["id"])["treatment"]
            hours = {w["set_by"]: w["hours"] for w in treatment["withholding_periods"] if w["produce"] == "meat"}
            figure = hours["vet"] if "vet" in hours else hours["label"]
            end = datetime.fromisoformat(treatment["last_given_at"]) + timedelta(hours=figure)
            if last_end is None or end > last_end:
                last_end = end
        first_days[name] = last_end.date() + timedelta(days=1)
    soonest = min(first_days, key=lambda n: first_days[n])
    latest = max(first_days, key=lambda n: first_days[n])
    gap = (first_days[latest] - first_days[soonest]).days
    tools.request_clearance_statement(patient_id=patients[soonest]["id"], produce="meat", supply_on=first_days[soonest].isoformat())
    answers = {wanted[name]: first_days[name].isoformat() for name in wanted}
    answers["soonest"] = soonest
    answers["days_between"] = gap
    listed = ", ".join(f"{name} on {first_days[name].isoformat()}" for name in wanted)
    return {
        "outcome": "done",
        "answers": answers,
        "reason": None,
        "message": f"Meat is clear first: {listed}. {soonest} comes first and has a clearance statement for that day; {latest} follows {gap} days later.",
    }

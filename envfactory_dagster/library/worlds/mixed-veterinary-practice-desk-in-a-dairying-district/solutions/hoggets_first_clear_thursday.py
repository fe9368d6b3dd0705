from datetime import datetime, timedelta


def solve(tools):
    mob = next(p for p in tools.search_patients(name="hogget", species="sheep", kind="mob")["patients"] if p["head_count"] == 40)
    figure = None
    end = None
    for row in tools.list_treatments(patient_id=mob["id"])["treatments"]:
        treatment = tools.get_treatment(treatment_id=row["id"])["treatment"]
        for period in treatment["withholding_periods"]:
            if period["produce"] == "meat" and period["set_by"] == "vet" and "Sione" in period["vet_name"]:
                figure = period["hours"]
                end = datetime.fromisoformat(treatment["last_given_at"]) + timedelta(hours=figure)
    day = next(d for d in ("2025-10-30", "2025-11-06") if d > end.date().isoformat())
    tools.request_clearance_statement(patient_id=mob["id"], produce="meat", supply_on=day)
    days = figure // 24
    return {
        "outcome": "done",
        "answers": {"sione_figure": days},
        "reason": None,
        "message": f"Sione set {days} days, which run out on {end.date().isoformat()}, so you have a meat clearance statement for the hoggets on Thursday {day}.",
    }

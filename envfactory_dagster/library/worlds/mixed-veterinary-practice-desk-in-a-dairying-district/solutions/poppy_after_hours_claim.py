def solve(tools):
    poppy = next(p for p in tools.search_patients(name="Poppy")["patients"] if p["name"] == "Poppy")
    bill = next(i for i in tools.search_invoices(practice="neighbour", status="open")["invoices"] if i["total_cents"] == 48600)
    plans = tools.list_plan_memberships(patient_id=poppy["id"], on_day="2025-06-01")["wellness_plan_memberships"]
    plan = next((m for m in plans if m["status"] == "active" and m["after_hours_used"] < m["after_hours_consults"]), None)
    claimed = 0
    if plan is not None:
        try:
            claimed = tools.submit_plan_claim(wellness_plan_membership_id=plan["id"], invoice_id=bill["id"], kind="after_hours")["plan_claim"]["amount_cents"]
        except tools.Error:
            claimed = 0
    left = bill["owing_cents"] - claimed
    if claimed:
        message = f"Your plan covers the consult, and a claim for ${claimed / 100:.2f} is in; that leaves ${left / 100:.2f} of Lawrence's bill for you to pay by {bill['due_on']}."
    else:
        message = f"The plan does not cover that visit, so no claim is in and ${left / 100:.2f} is left for you to pay by {bill['due_on']}."
    return {
        "outcome": "done",
        "answers": {"left_to_pay": left},
        "reason": None,
        "message": message,
    }

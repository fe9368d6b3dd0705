def solve(tools):
    mine = tools.list_my_commissions(status="paused", surname="Wielgosz")["commissions"]
    search = next(c for c in mine if c["region"] == "Galicia")
    worked = tools.get_commission(commission_id=search["id"])["worked_hours"]
    budget = min(worked + 10, 45)
    tools.set_commission_budget(commission_id=search["id"], budget_hours=budget)
    tools.give_consent(commission_id=search["id"])
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"{worked:g} hours have gone into the {search['surname']} search in {search['region']}; its budget "
                   f"was {search['budget_hours']:g} hours and is now {budget:g}, and with your consent the work goes on.",
    }

def solve(tools):
    mine = tools.list_my_commissions(surname="Lindqvist")["commissions"]
    search = next(c for c in mine if c["region"] == "Småland" and c["status"] not in ("completed", "cancelled"))
    worked = tools.get_commission(commission_id=search["id"])["worked_hours"]
    refusal = {
        "outcome": "refused",
        "answers": {},
        "reason": "budget_floor_and_ceiling",
        "message": "The budget of the Lindqvist search in Småland cannot be set to 18 hours: a client may set the budget of a "
                   f"commission no lower than the hours already worked on it plus 2 hours, and with {worked:g} hours "
                   f"worked that is {worked + 2:g}. It stays at {search['budget_hours']:g} hours, and nothing was cancelled.",
    }
    if 18 < worked + 2:
        return refusal
    try:
        tools.set_commission_budget(commission_id=search["id"], budget_hours=18)
    except tools.Error:
        return refusal
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"The budget of the Lindqvist search in Småland is now 18 hours; {worked:g} hours were worked on it.",
    }

def _customer(tools, name):
    return [c for c in tools.list_my_customers()["customers"] if c["name"] == name][0]


def solve(tools):
    school = _customer(tools, "Beckside School")
    for hold in tools.list_hires(customer_id=school["id"], status="held")["hires"]:
        if not hold["hold_lapses_at"].startswith("2024-11-14"):
            continue
        lines = tools.get_hire(hire_id=hold["id"])["hire_lines"]
        if any("nun" in l["description"].lower() and l["status"] == "active" for l in lines):
            hire = hold
    try:
        renewed = tools.renew_hold(hire_id=hire["id"])
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "hold_renewal",
            "message": "I cannot renew the hold on the nun habits: a hold may not be renewed at all from 1 November to 6 January, so it lapses on Thursday 14 November at 16:00.",
        }
    return {"outcome": "done", "answers": {}, "reason": None, "message": f"The hold now lasts until {renewed['hold_lapses_at'][:10]}."}

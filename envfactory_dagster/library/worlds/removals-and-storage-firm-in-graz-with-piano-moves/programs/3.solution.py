def solve(tools):
    wanted = 6000000
    raised = 0
    more = 0
    late = []
    for status in ("confirmed", "offered", "requested"):
        for removal in tools.list_removals(status=status)["removals"]:
            details = tools.get_removal(removal_id=removal["removal_id"])
            if details["insured_value_cents"] >= wanted:
                continue
            try:
                changed = tools.set_insured_value(removal_id=removal["removal_id"], insured_value_cents=wanted)
            except tools.Error:
                late.append(removal["removal_day"])
                continue
            raised += 1
            more += changed["premium_cents"] - details["premium_cents"]
    late.sort()
    return {
        "outcome": "done",
        "answers": {"raised": raised, "more_premium": more, "too_late_days": late},
        "reason": None,
        "message": f"I raised it for {raised} moves, which costs €{more / 100:.2f} more in premiums."
        f" It is too late for the moves on {', '.join(late)}.",
    }

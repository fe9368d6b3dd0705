def solve(tools):
    removal = tools.list_removals(status="confirmed", first_day="2025-09-09", last_day="2025-09-09")["removals"][0]
    details = tools.get_removal(removal_id=removal["removal_id"])
    try:
        changed = tools.set_insured_value(removal_id=details["removal_id"], insured_value_cents=11800000)
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {"new_premium": None},
            "reason": "insured_value_ceiling",
            "message": "I cannot raise it to €118,000: above €100,000 the insured value may be changed only once the"
            " insurer's approval is on record for that removal, and there is none yet.",
        }
    premium = changed["premium_cents"]
    return {
        "outcome": "done",
        "answers": {"new_premium": premium},
        "reason": None,
        "message": f"The insured value is now €118,000; the premium is €{premium / 100:.2f}.",
    }

def solve(tools):
    exercise = tools.search_exercises(name="rope rescue", first_day="2026-08-02", last_day="2026-08-02")["exercises"][0]
    claims = tools.list_my_expense_claims()["expense_claims"]
    paid = sum(
        claim["amount_cents"]
        for claim in claims
        if claim["status"] == "paid" and claim["paid_at"] and claim["paid_at"][:10] >= "2026-01-01"
    )
    old = [
        claim for claim in claims if claim["exercise_id"] == exercise["id"] and claim["status"] == "submitted"
    ]
    withdrawn = None
    if old:
        claim = tools.withdraw_expense_claim(expense_claim_id=old[0]["id"])["expense_claim"]
        withdrawn = claim["amount_cents"]
        message = (
            f"You had claimed {withdrawn / 100:.2f} euros for that exercise already and it was not approved yet, so I"
            " withdrew that claim and put in no new one."
        )
    else:
        amount = 46 * 40 + 1250
        tools.submit_expense_claim(
            exercise_id=exercise["id"], amount_cents=amount, description="46 kilometres by car, and cable car"
        )
        message = f"Your claim of {amount / 100:.2f} euros for the rope rescue exercise is submitted."
    return {
        "outcome": "done",
        "answers": {"withdrawn_claim_amount": withdrawn, "paid_since_january": paid},
        "reason": None,
        "message": message + f" Since 1 January you have been paid {paid / 100:.2f} euros altogether.",
    }

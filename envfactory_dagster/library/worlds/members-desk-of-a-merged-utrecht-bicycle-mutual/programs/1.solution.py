def solve(tools):
    bicycle = next(
        b for b in tools.list_bicycles(make="Sparta", kind="electric")["bicycles"] if b["rider_name"].startswith("Wim")
    )
    found = tools.search_claims(status="reported", kind="damage", bicycle_id=bicycle["id"])["claims"]
    claim = found[0]
    payout = claim["repair_amount_cents"] - claim["own_risk_cents"]
    monthly = sum(c["monthly_premium_cents"] for c in tools.list_covers()["covers"] if c["ends_on"] is None)
    steps = tools.get_membership()["no_claim_steps"]
    lost = min(2, steps)
    cost = monthly * 5 * lost * 24 / 100
    if payout > cost:
        tools.submit_claim(claim_id=claim["id"])
        answers = {"what_was_done": "submitted", "payout": payout, "steps_left": steps - lost}
        message = (
            f"I submitted the claim: it would bring you {payout / 100:.2f} euros, more than the {cost / 100:.2f} euros"
            f" that the steps cost; {steps - lost} no-claim step(s) would be left."
        )
    else:
        tools.withdraw_claim(claim_id=claim["id"])
        answers = {"what_was_done": "withdrawn", "payout": None, "steps_left": None}
        message = "I withdrew the claim: the no-claim steps would have cost you more than it brings."
    return {"outcome": "done", "answers": answers, "reason": None, "message": message}

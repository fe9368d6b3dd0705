def solve(tools):
    gazelles = tools.list_bicycles(make="Gazelle")["bicycles"]
    claims = []
    for gazelle in gazelles:
        for claim in tools.search_claims(bicycle_id=gazelle["id"])["claims"]:
            if claim["reported_at"].startswith("2026-04-14") and "fork" in claim["description"].lower():
                claims.append(claim)
    claim = claims[0]
    steps = tools.get_membership()["no_claim_steps"]
    brings = claim["repair_amount_cents"] - claim["own_risk_cents"]
    husband_is_right = claim["own_risk_cents"] == 6000 and brings == 3400 and steps == 3
    if husband_is_right and claim["status"] in ("reported", "submitted"):
        tools.withdraw_claim(claim_id=claim["id"])
        message = (
            f"You were both right, it would bring you {brings // 100} euros and cost 2 steps; nobody had decided on it,"
            f" so I withdrew the claim and you keep {steps} no-claim steps."
        )
    else:
        message = f"I left the claim as it is; you have {steps} no-claim steps."
    return {"outcome": "done", "answers": {"steps_kept": steps}, "reason": None, "message": message}

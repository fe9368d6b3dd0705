def solve(tools):
    names = {b["id"]: f"{b['make']} {b['model']}" for b in tools.list_bicycles()["bicycles"]}
    with_agreement = {s["id"] for s in tools.search_repair_shops(has_agreement=1)["repair_shops"]}
    bicycles, to_submit, together = [], [], 0
    for claim in tools.search_claims(kind="damage")["claims"]:
        if claim["status"] not in ("reported", "submitted"):
            continue
        found = tools.get_claim(claim_id=claim["id"])
        amount = found["claim"]["repair_amount_cents"]
        approved = any(e["status"] == "approved" for e in found["estimates"])
        if found["claim"]["repair_shop_id"] not in with_agreement and not approved:
            amount = min(amount, 15000)
        together += max(0, amount - claim["own_risk_cents"])
        bicycles.append(names[claim["bicycle_id"]])
        if claim["status"] == "reported":
            to_submit.append(names[claim["bicycle_id"]])
        tools.add_claim_paper(
            claim_id=claim["id"],
            kind="letter",
            description="Letter of the home insurer of 17 April 2026: it does not pay for bicycles outside the house",
        )
    return {
        "outcome": "done",
        "answers": {"bicycles": bicycles, "still_to_submit": to_submit, "payout_together": together},
        "reason": None,
        "message": (
            f"The letter is with the claims for {', '.join(bicycles)}; still to be submitted:"
            f" {', '.join(to_submit) or 'none'}. If all are approved you may expect {together / 100:.2f} euros."
        ),
    }

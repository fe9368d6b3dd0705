REASON = (
    "I have been a Lombok member since 1991, always at the same address in the Bandoengstraat,"
    " so it should be 50 and I want the other 35 paid."
)


def solve(tools):
    member = tools.get_membership()["member"]
    homes = tools.list_addresses(kind="home")["addresses"]
    entitled = member["old_fund"] == "lombok" and len(homes) == 1
    batavus = next(
        b for b in tools.list_bicycles(make="Batavus")["bicycles"] if b["first_sold_on"].startswith("2014")
    )
    owed, numbers = 0, []
    for claim in tools.search_claims(bicycle_id=batavus["id"])["claims"]:
        payments = tools.get_claim(claim_id=claim["id"])["payments"]
        in_march = any(p["paid_on"].startswith("2026-03") for p in payments)
        in_2023 = claim["happened_at"].startswith("2023")
        if not (in_march or in_2023) or claim["own_risk_cents"] != 8500 or not entitled:
            continue
        tools.object_to_own_risk(claim_id=claim["id"], asked_own_risk_cents=5000, reason=REASON)
        owed += claim["own_risk_cents"] - 5000
        numbers.append(claim["claim_number"])
    return {
        "outcome": "done",
        "answers": {"owed_together": owed},
        "reason": None,
        "message": (
            f"I objected to the 85 euros on {' and '.join(numbers)}; by your reckoning that is"
            f" {owed / 100:.2f} euros in all, on which the staff still have to decide."
        ),
    }

import datetime


def solve(tools):
    sparta = next(
        b for b in tools.list_bicycles(make="Sparta")["bicycles"] if b["rider_name"].startswith("Wim")
    )
    claims = {c["id"] for c in tools.search_claims(kind="damage", bicycle_id=sparta["id"])["claims"]}
    loan = next(l for l in tools.list_loans(open_only=True)["loans"] if l["claim_id"] in claims)
    answers = {"can_keep_it": False, "back_on": None, "extra_cost": None}
    message = "I left the loan as it is; hiring one is the better way."
    ready = loan["repair_expected_on"]
    days = (datetime.date.fromisoformat(ready) - datetime.date.fromisoformat(loan["due_on"])).days
    cost = days * 400
    if 1 <= days <= 14 and loan["extended_at"] is None and loan["repair_ready_on"] is None and cost < 6500:
        extended = tools.extend_loan(loan_id=loan["id"], extra_days=days)
        cost = extended["extra_days"] * extended["day_price_cents"]
        answers = {"can_keep_it": True, "back_on": extended["due_on"], "extra_cost": cost}
        message = (
            f"Wim can keep the loan bicycle until {extended['due_on']}; the {days} extra days cost {cost // 100} euros."
        )
    return {"outcome": "done", "answers": answers, "reason": None, "message": message}

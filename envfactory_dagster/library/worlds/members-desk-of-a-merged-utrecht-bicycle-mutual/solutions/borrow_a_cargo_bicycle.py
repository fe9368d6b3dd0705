def solve(tools):
    babboe = tools.list_bicycles(make="Babboe")["bicycles"][0]
    claim = None
    for candidate in tools.search_claims(kind="damage", bicycle_id=babboe["id"])["claims"]:
        repair = tools.get_claim(claim_id=candidate["id"])["claim"]
        if repair["brought_in_on"] and not repair["repair_ready_on"]:
            claim = candidate
    shops = {s["id"]: s["name"] for s in tools.search_repair_shops(has_agreement=1)["repair_shops"]}
    free = [
        b
        for b in tools.search_loan_bicycles(kind="cargo", free_only=True)["loan_bicycles"]
        if b["repair_shop_id"] in shops
    ]
    chosen = free[0]
    loan = tools.borrow_loan_bicycle(claim_id=claim["id"], loan_bicycle_id=chosen["id"], starts_on="2026-06-16")
    shop = shops[chosen["repair_shop_id"]]
    return {
        "outcome": "done",
        "answers": {"collect_at": shop, "back_on": loan["due_on"]},
        "reason": None,
        "message": (
            f"A cargo bicycle ({chosen['description']}) is borrowed for you from 16 June: collect it at {shop};"
            f" it has to be back on {loan['due_on']}."
        ),
    }

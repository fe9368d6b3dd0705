def solve(tools):
    gazelle = next(
        b for b in tools.list_bicycles(make="Gazelle")["bicycles"] if b["acquired_on"].startswith("2022-04")
    )
    covers = tools.get_bicycle(bicycle_id=gazelle["id"])["covers"]
    day = "2026-06-12"
    cover = next(
        c
        for c in covers
        if c["kind"] != "battery" and c["starts_on"] <= day and (c["ends_on"] is None or c["ends_on"] >= day)
    )
    shop = tools.search_repair_shops(text="Croeselaan")["repair_shops"][0]
    claim = tools.report_damage(
        cover_id=cover["id"],
        happened_at="2026-06-12T12:00:00",
        place="Vaartsche Rijn",
        description="Spokes and rim went in the tram rails; mended the same afternoon.",
        repair_shop_id=shop["id"],
        repair_amount_cents=21200,
        brought_in_on=day,
        repair_ready_on=day,
    )
    tools.add_claim_paper(
        claim_id=claim["id"], kind="receipt", description=f"Receipt of {shop['name']}, 212 euros, 12 June 2026"
    )
    tools.add_claim_paper(
        claim_id=claim["id"], kind="photographs", description="Photographs of the broken spokes and rim"
    )
    claim = tools.submit_claim(claim_id=claim["id"])
    counts = claim["repair_amount_cents"]
    if not shop["has_agreement"]:
        counts = min(counts, 15000)
    own_risk = claim["own_risk_cents"]
    return {
        "outcome": "done",
        "answers": {"amount_that_counts": counts, "own_risk": own_risk},
        "reason": None,
        "message": (
            f"The damage is reported as {claim['claim_number']} and submitted with both papers; without an approved"
            f" estimate {counts // 100} euros of the 212 count, and {own_risk // 100} euros own risk go off."
        ),
    }

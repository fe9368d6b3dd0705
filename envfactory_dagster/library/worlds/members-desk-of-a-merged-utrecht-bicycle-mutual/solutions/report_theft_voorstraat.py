def solve(tools):
    sparta = next(
        b for b in tools.list_bicycles(make="Sparta")["bicycles"] if b["acquired_on"] == "2023-06-14"
    )
    found = tools.get_bicycle(bicycle_id=sparta["id"])
    day = "2026-06-13"
    cover = next(
        c
        for c in found["covers"]
        if c["kind"] != "battery" and c["starts_on"] <= day and (c["ends_on"] is None or c["ends_on"] >= day)
    )
    lock = next(l for l in found["locks"] if l["make"] == "Abus" and l["kind"] == "chain")
    claim = tools.report_theft(
        cover_id=cover["id"],
        happened_at="2026-06-13T21:10:00",
        discovered_at="2026-06-14T00:45:00",
        place="Voorstraat",
        description="Samira's grey Sparta was taken from the Voorstraat; the café's camera shows it going at 21.10.",
    )
    for _ in range(2):
        tools.hand_in_key(claim_id=claim["id"], lock_id=lock["id"], quality="original", way="post")
    own_risk = claim["own_risk_cents"]
    return {
        "outcome": "done",
        "answers": {"own_risk": own_risk},
        "reason": None,
        "message": (
            f"The theft is reported as {claim['claim_number']} and both original keys are down as handed in by post;"
            f" the own risk is {own_risk // 100} euros. The police number can be added later."
        ),
    }

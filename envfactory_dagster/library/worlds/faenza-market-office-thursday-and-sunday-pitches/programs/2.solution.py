def solve(tools):
    rates = {c["id"]: c["holder_cents_per_m"] for c in tools.get_price_list()["price_categories"]}
    days = tools.list_market_days(first_day="2026-09-01", last_day="2026-12-31", weekday="thursday")["market_days"]
    best = None
    for name, rent in (("Grilli", 93000), ("Lanzoni", 89000), ("Minguzzi", 85000)):
        for found in tools.search_concessions(trader_name=name, weekday="thursday")["concessions"]:
            shown = tools.get_concession(concession_id=found["id"])
            concession = shown["concession"]
            if concession["status"] != "active" or shown["has_open_charge"]:
                continue
            pitch = tools.get_pitch(pitch_id=concession["pitch_id"])["pitch"]
            hundredths = rates[concession["price_category_id"]] * concession["front_m"] * 100
            if pitch["is_corner"]:
                hundredths *= 1.15
            if pitch["row_name"] == "via_pistocchi":
                hundredths *= 0.9
            cents = max(600, int(hundredths / 100 + 0.5))
            total = rent + sum(int(cents * d["fee_thirds"] / 3 + 0.5) for d in days if d["status"] != "called_off")
            if best is None or total < best[0]:
                best = (total, name, pitch["code"])
    total = best[0]
    return {
        "outcome": "done",
        "answers": {"whose_offer": best[1], "rent_and_fees": total},
        "reason": None,
        "message": f"{best[1]}'s offer for {best[2]} is the cheaper one, {total / 100:.2f} euro for rent and fees from September to December.",
    }

def solve(tools):
    me = tools.get_my_details()["trader"]
    concession = tools.search_concessions(trader_id=me["id"], weekday="thursday", status="active")["concessions"][0]
    tools.add_helper(name="Martina Laghi", tie="family", from_on="2026-04-16")
    points = tools.get_pitch(pitch_id=concession["pitch_id"])["electricity_tariffs"]
    enough = [p for p in points if p["max_kw"] is None or p["max_kw"] >= 2.4]
    point = min(enough, key=lambda p: (p["price_cents_per_day"], p["id"]))
    tools.request_electricity_connection(concession_id=concession["id"], electricity_tariff_id=point["id"], load_kw=2.4, from_on="2026-04-16")
    return {
        "outcome": "done",
        "answers": {"current_per_thursday": point["price_cents_per_day"]},
        "reason": None,
        "message": f"Martina is on your papers from 16 April and the point '{point['name']}' has been asked for; the current will cost {point['price_cents_per_day'] / 100:.2f} euro a Thursday.",
    }

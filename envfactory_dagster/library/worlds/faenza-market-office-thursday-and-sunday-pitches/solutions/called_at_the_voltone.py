def solve(tools):
    me = tools.get_my_details()["trader"]
    call = tools.list_spunta_assignments(first_day="2026-06-21", last_day="2026-06-21", status="called", only_mine=True)["spunta_assignments"][0]
    pitch = tools.get_pitch(pitch_id=call["pitch_id"])["pitch"]
    entry = next(e for e in tools.list_spunta_register(weekday=call["weekday"])["spunta_register_entries"] if e["trader_id"] == me["id"])
    category = next(c for c in tools.get_price_list()["price_categories"] if c["id"] == entry["price_category_id"])
    day = tools.list_market_days(first_day="2026-06-21", last_day="2026-06-21")["market_days"][0]
    cents = category["spuntista_cents_per_m"] * pitch["front_m"]
    if pitch["is_corner"]:
        cents = cents * 115 / 100
    if pitch["row_name"] == "via_pistocchi":
        cents = cents * 90 / 100
    cents = int(max(600, int(cents + 0.5)) * day["fee_thirds"] / 3 + 0.5)
    if 7 - pitch["front_m"] <= 1 and cents < 1800:
        accepted = tools.accept_spunta_pitch(spunta_assignment_id=call["id"])
        paid = tools.pay_fee_charge(fee_charge_id=accepted["fee_charge"]["id"], paid_by="card")["paid_cents"]
        attendances = accepted["attendances"]
        text = f"You have {pitch['code']} for {paid / 100:.2f} euro, paid by card"
    else:
        attendances = tools.refuse_spunta_pitch(spunta_assignment_id=call["id"])["attendances"]
        text = f"{pitch['code']} has been refused"
    return {
        "outcome": "done",
        "answers": {"sunday_attendances": attendances},
        "reason": None,
        "message": f"{text}; you now have {attendances} Sunday attendances.",
    }

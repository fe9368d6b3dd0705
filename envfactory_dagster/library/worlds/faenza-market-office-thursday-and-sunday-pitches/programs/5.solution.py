def solve(tools):
    me = tools.get_my_details()["trader"]
    lower, asking = 0, []
    for concession in tools.search_concessions(trader_id=me["id"], status="active")["concessions"]:
        bills = {f["period_from"]: f for f in tools.list_fee_charges(kind="quarter", concession_id=concession["id"])["fee_charges"] if f["status"] != "cancelled"}
        total = {q: f["pitch_cents"] + f["electricity_cents"] + f["surcharge_cents"] for q, f in bills.items()}
        now, before = "2026-01-01", "2025-10-01"
        if total[now] < total[before]:
            tools.pay_fee_charge(fee_charge_id=bills[now]["id"], paid_by="bank_transfer")
            lower += total[before] - total[now]
        else:
            asking.append(concession["weekday"].capitalize())
    market = "neither" if not asking else asking[0] if len(asking) == 1 else "both"
    return {
        "outcome": "done",
        "answers": {"bill_to_ask_about": market, "lower_by": lower if lower else None},
        "reason": None,
        "message": f"Bill to ask about: {market}. What has been paid was {lower / 100:.2f} euro lower than for October to December.",
    }

def solve(tools):
    me = tools.get_my_profile()["customer"]["id"]
    unused = [
        g
        for g in tools.list_gift_cards()["gift_cards"]
        if g["buyer_id"] == me
        and g["sold_at"].startswith("2026-02-24")
        and g["value_cents"] == 5000
        and g["status"] == "valid"
        and g["balance_cents"] == g["value_cents"]
    ]
    if unused:
        card = min(unused, key=lambda g: g["id"])
        back = sum(p["amount_cents"] for p in tools.refund_gift_card(gift_card_id=card["id"])["payments"])
        message = f"Gift card {card['code']} is refunded, {back / 100:.2f} euros go back to your bank card."
    else:
        message = "Neither of the two gift cards is wholly unused, so none is refunded."
    bought = tools.buy_ten_visit_card(discount=1, method="bank_card")["ten_visit_card"]
    message += f" Your new discount 10-visit card is valid until {bought['expires_on']}."
    return {
        "outcome": "done",
        "answers": {"ten_visit_card_valid_until": bought["expires_on"]},
        "reason": None,
        "message": message,
    }

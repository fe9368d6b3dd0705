def solve(tools):
    me = tools.get_my_profile()["customer"]["id"]
    cards = tools.list_season_cards(customer_id=me, valid_on="2026-01-01")["season_cards"]
    card = next(c for c in cards if c["card_type"] == "seniors_morning")
    mornings = [
        e
        for e in tools.list_entries(season_card_id=card["id"], first_day="2026-01-01")["entries"]
        if e["used_by_holder"] == 1
    ]
    tickets = [
        e
        for e in tools.list_entries(customer_id=me, basis="ticket", first_day="2026-01-01")["entries"]
        if e["place"] != "rantasauna"
    ]
    entries = {e["id"] for e in tickets}
    paid = 0
    for p in tools.list_payments()["payments"]:
        if p["season_card_id"] == card["id"] and p["price_code"] == "season_card_seniors_morning" or p["entry_id"] in entries:
            paid += p["amount_cents"] if p["kind"] == "payment" else -p["amount_cents"]
    cheaper = 8000 < paid
    return {
        "outcome": "done",
        "answers": {
            "times_on_morning_card": len(mornings),
            "times_on_ticket": len(tickets),
            "paid_altogether": paid,
            "four_month_card_cheaper": cheaper,
        },
        "reason": None,
        "message": (
            f"Since 1 January 2026 you have been let in {len(mornings)} times on the morning card and {len(tickets)} times on a paid ticket,"
            f" for {paid / 100:.2f} euros altogether; a 4-month card at 80.00 euros would {'' if cheaper else 'not '}have been cheaper."
        ),
    }

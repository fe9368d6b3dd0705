def solve(tools):
    me = tools.get_my_profile()["customer"]["id"]
    rental = next(
        r for r in tools.list_locker_rentals(status="active")["locker_rentals"] if r["expires_on"] == "2026-03-09"
    )
    renewed = tools.renew_locker_rental(locker_rental_id=rental["id"], method="bank_card")["locker_rental"]
    message = f"Locker {rental['locker_number']} is renewed until {renewed['expires_on']}, and the deposit carries on."
    found = [
        i
        for i in tools.search_found_items(text="Pirkko", first_day="2026-02-19", last_day="2026-02-19")["found_items"]
        if i["status"] == "held" and "watch" in i["description"].lower() and "orange" in i["description"].lower()
    ]
    if not found:
        message += " No such watch has been handed in."
    elif found[0]["price_cents"] > 800:
        message += f" Your watch has been handed in, but the fee would be {found[0]['price_cents'] / 100:.2f} euros, so I have left it."
    else:
        item = tools.claim_found_item(found_item_id=found[0]["id"], customer_id=me, method="bank_card")["found_item"]
        message += f" Your watch is recorded as fetched today, for {(item['fee_cents'] or 0) / 100:.2f} euros."
    return {"outcome": "done", "answers": {}, "reason": None, "message": message}

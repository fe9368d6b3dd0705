def solve(tools):
    april = tools.list_store_purchases(first_day="2026-04-01", last_day="2026-04-30")["store_purchases"]
    store = sum(line["amount_cents"] for line in april)
    visits = tools.list_guest_visits(status="visited", first_day="2026-04-01", last_day="2026-04-30")["guest_visits"]
    guests = sum(visit["price_cents"] for visit in visits)
    item, guest = None, None
    if store > guests:
        spent = {}
        since = tools.list_store_purchases(first_day="2026-04-01", last_day="2026-05-06")["store_purchases"]
        for line in since:
            spent[line["name"]] = spent.get(line["name"], 0) + line["amount_cents"]
        item = max(sorted(spent), key=lambda name: spent[name])
        message = f"since 1 April you have spent the most on {item}."
    else:
        guest = max(visits, key=lambda visit: visit["starts_at"])["guest_name"]
        message = f"the last guest in April was {guest}."
    return {
        "outcome": "done",
        "answers": {"store_april": store, "guests_april": guests, "dearest_item": item, "last_guest": guest},
        "reason": None,
        "message": f"In April the store cost you {store / 100:.2f} euros and your guests {guests / 100:.2f} euros; " + message,
    }

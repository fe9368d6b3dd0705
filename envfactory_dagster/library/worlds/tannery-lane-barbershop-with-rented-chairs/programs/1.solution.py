def solve(tools):
    first, last = "2026-04-15", "2026-04-18"
    barbers = {b["name"]: b["id"] for b in tools.list_barbers()["barbers"]}
    counts = {}
    for name in ("Rosa Hale", "Ned Calloway"):
        rentals = tools.search_chair_rentals(
            barber_id=barbers[name], first_day=first, last_day=last, status="active"
        )["chair_rentals"]
        counts[name] = len(rentals)
    if counts["Rosa Hale"] > counts["Ned Calloway"]:
        busier = "Rosa Hale"
    else:
        busier = "Ned Calloway"
    services = tools.search_services(barber_id=barbers[busier], name="Haircut")["services"]
    price = [s["price_cents"] for s in services if s["name"] == "Haircut"][0]
    return {
        "outcome": "done",
        "answers": {
            "rosa_half_days": counts["Rosa Hale"],
            "ned_half_days": counts["Ned Calloway"],
            "works_more": busier,
            "haircut_price": price,
        },
        "reason": None,
        "message": (
            f"Rosa Hale works {counts['Rosa Hale']} half-days and Ned Calloway {counts['Ned Calloway']}, "
            f"so {busier} works more; a plain haircut there costs {price / 100:.2f} euros."
        ),
    }

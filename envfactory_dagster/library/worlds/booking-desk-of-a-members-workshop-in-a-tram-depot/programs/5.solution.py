def solve(tools):
    used = tools.search_bookings(status="used", last_day="2026-05-06")["bookings"]
    bookings = sum(row["price_cents"] for row in used)
    places = tools.list_induction_places()["induction_places"]
    inductions = sum(row["price_cents"] for row in places if row["status"] != "cancelled")
    visits = tools.list_guest_visits(status="visited", last_day="2026-05-06")["guest_visits"]
    guests = sum(row["price_cents"] for row in visits)
    machine, count = None, None
    if bookings > max(inductions, guests):
        machine = max(used, key=lambda row: row["price_cents"])["machine"]
        rest = f"your dearest used booking was on the {machine}."
    else:
        count = len(visits)
        rest = f"there were {count} guest visits."
    return {
        "outcome": "done",
        "answers": {
            "used_bookings": bookings,
            "induction_places": inductions,
            "guests_who_came": guests,
            "dearest_machine": machine,
            "guest_visits": count,
        },
        "reason": None,
        "message": f"Used bookings came to {bookings / 100:.2f} euros, inductions to {inductions / 100:.2f} and guests "
        f"to {guests / 100:.2f}; " + rest,
    }

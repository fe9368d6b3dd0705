def solve(tools):
    owed = sum(invoice["total_cents"] for invoice in tools.list_invoices(status="open")["invoices"])
    held = 0
    for removal in tools.list_removals(status="confirmed")["removals"]:
        details = tools.get_removal(removal_id=removal["removal_id"])
        if details["deposit_paid_on"] is not None:
            held += details["deposit_cents"]
    booking = [
        b
        for b in tools.list_part_load_bookings(status="booked")["part_load_bookings"]
        if b["destination"] == "Salzburg" and b["trip_day"] == "2025-04-29"
    ][0]
    price = None
    if owed > held:
        tools.cancel_part_load_booking(part_load_booking_id=booking["part_load_booking_id"])
        end = "so your place on the Salzburg trip is cancelled."
    else:
        changed = tools.add_part_load_pickup(
            part_load_booking_id=booking["part_load_booking_id"],
            street="Lendplatz 12",
            town="Graz",
            floor=1,
            has_usable_lift=0,
            volume_m3=2,
        )
        price = changed["price_cents"]
        end = f"so the 2 m³ from Lendplatz 12 are on your Salzburg place, which now costs €{price / 100:.2f}."
    return {
        "outcome": "done",
        "answers": {"open_invoices": owed, "deposits_held": held, "salzburg_price": price},
        "reason": None,
        "message": f"€{owed / 100:.2f} is open on your invoices and we hold €{held / 100:.2f} in deposits, {end}",
    }

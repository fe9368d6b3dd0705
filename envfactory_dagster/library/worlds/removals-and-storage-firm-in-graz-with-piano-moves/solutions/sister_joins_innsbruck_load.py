def solve(tools):
    booking = [
        b
        for b in tools.list_part_load_bookings(status="booked")["part_load_bookings"]
        if b["destination"] == "Innsbruck" and b["trip_day"] == "2025-05-09"
    ][0]
    town = booking["pickups"][0]["town"]
    trips = tools.search_part_load_trips(
        destination="Innsbruck", first_day="2025-05-01", last_day="2025-05-31", status="open"
    )["part_load_trips"]
    own = [trip for trip in trips if trip["part_load_trip_id"] == booking["part_load_trip_id"]]
    if own and own[0]["free_m3"] >= 3 and booking["volume_m3"] + 3 <= own[0]["discount_up_to_m3"]:
        changed = tools.add_part_load_pickup(
            part_load_booking_id=booking["part_load_booking_id"],
            street="Keplerstraße 90",
            town=town,
            floor=4,
            has_usable_lift=0,
            volume_m3=3,
        )
        total = changed["price_cents"]
        told = "Your booking is now 9.5 m³ and keeps its discount."
    else:
        offers = []
        for trip in trips:
            if trip["part_load_trip_id"] == booking["part_load_trip_id"] or trip["free_m3"] < 3:
                continue
            price = 3 * trip["price_per_m3_cents"]
            if 3 <= trip["discount_up_to_m3"]:
                price = price * (100 - trip["discount_percent"]) / 100
            offers.append((round(price) + 4 * trip["floor_fee_cents"], trip["part_load_trip_id"]))
        cheapest = min(offers)[1]
        hers = tools.book_part_load(
            part_load_trip_id=cheapest,
            street="Keplerstraße 90",
            town=town,
            floor=4,
            has_usable_lift=0,
            volume_m3=3,
        )
        total = booking["price_cents"] + hers["price_cents"]
        told = (
            "With 9.5 m³ you would lose your discount or the room, so I left your booking alone and put your sister's"
            f" on the trip of {hers['trip_day']}."
        )
    return {
        "outcome": "done",
        "answers": {"both_together": total},
        "reason": None,
        "message": f"{told} The two of you pay €{total / 100:.2f} altogether.",
    }

def _own(world):
    return world.initial.one(
        "SELECT b.id, b.price_cents, b.part_load_trip_id FROM part_load_bookings b"
        " JOIN part_load_trips t ON t.id = b.part_load_trip_id WHERE b.customer_id = 1 AND b.status = 'booked'"
        " AND t.destination = 'Innsbruck' AND t.trip_day = '2025-05-09'"
    )


def _cheapest(world):
    """The other open trip to Innsbruck in May with 3 m³ left that is cheapest, with the price of the sister's load."""
    trips = world.initial.query(
        "SELECT t.*, t.bookable_m3 - (SELECT coalesce(sum(p.volume_m3), 0) FROM part_load_pickups p"
        " JOIN part_load_bookings b ON b.id = p.part_load_booking_id"
        " WHERE b.part_load_trip_id = t.id AND b.status <> 'cancelled') AS room FROM part_load_trips t"
        " WHERE t.destination = 'Innsbruck' AND t.status = 'open' AND t.trip_day BETWEEN '2025-05-01' AND '2025-05-31'"
        " AND t.id <> ?",
        [_own(world)["part_load_trip_id"]],
    )
    for trip in trips:
        percent = trip["discount_percent"] if trip["discount_up_to_m3"] >= 3 else 0
        trip["price"] = round(3 * trip["price_per_m3_cents"] * (100 - percent) / 100) + 4 * trip["floor_fee_cents"]
    return min((trip for trip in trips if trip["room"] >= 3), key=lambda trip: trip["price"])


def goal_books_the_sisters_load(world) -> bool:
    """Booked the sister's 3 m³ in the person's name on the cheapest other trip to Innsbruck in May."""
    rows = world.final.query(
        "SELECT b.id FROM part_load_bookings b JOIN part_load_pickups p ON p.part_load_booking_id = b.id"
        " WHERE b.customer_id = 1 AND b.status = 'booked' AND b.part_load_trip_id = ? AND b.price_cents = ?"
        " AND same_text(p.street, ?) AND p.floor = 4 AND p.has_usable_lift = 0 AND p.volume_m3 = 3",
        [_cheapest(world)["id"], _cheapest(world)["price"], "Keplerstraße 90"],
    )
    return len(rows) == 1


def goal_says_what_both_pay(world) -> bool:
    """Says what the two of them pay altogether."""
    return world.report.says("both_together", _own(world)["price_cents"] + _cheapest(world)["price"])


def guard_adds_one_booking_with_one_pickup_only(world) -> bool:
    """Changed nothing but one new booking of the person's with one pickup; the booking of 9 May stays as it was."""
    bookings = [c for c in world.changes if c["table"] == "part_load_bookings" and c["before"] is None]
    pickups = [c for c in world.changes if c["table"] == "part_load_pickups" and c["before"] is None]
    if len(bookings) + len(pickups) != len(world.changes) or len(bookings) > 1 or len(pickups) > len(bookings):
        return False
    if any(c["after"]["customer_id"] != 1 for c in bookings):
        return False
    return all(c["after"]["part_load_booking_id"] == bookings[0]["after"]["id"] for c in pickups)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule against it."""
    return world.report.outcome in (None, "done") and world.report.reason is None

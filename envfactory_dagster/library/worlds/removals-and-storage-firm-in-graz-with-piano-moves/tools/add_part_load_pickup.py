import decimal


def _add_part_load_pickup_price(trip, pickups):
    """The price of pickups that ride together: rate less discount for the whole volume, and the floor fees."""
    volume = sum(decimal.Decimal(str(pickup["volume_m3"])) for pickup in pickups)
    price = volume * trip["price_per_m3_cents"]
    if volume <= decimal.Decimal(str(trip["discount_up_to_m3"])):
        price = price * (100 - trip["discount_percent"]) / 100
    floors = sum(pickup["floor"] for pickup in pickups if not pickup["has_usable_lift"])
    return int(price.quantize(decimal.Decimal(1), rounding=decimal.ROUND_HALF_UP)) + floors * trip["floor_fee_cents"]


def add_part_load_pickup(
    env, *, part_load_booking_id: int, street: str, town: str, floor: int, has_usable_lift: int, volume_m3: float
) -> dict:
    """Adds a pickup to a part load booking of the user's and works out its price anew."""
    booking = env.one(
        """SELECT id, part_load_trip_id, status, booked_at FROM part_load_bookings
           WHERE id = :booking AND customer_id = :user""",
        {"booking": part_load_booking_id, "user": env.user_id},
    )
    if booking is None:
        raise env.Error(f"You have no part load booking {part_load_booking_id}.")
    if booking["status"] != "booked":
        raise env.Error(f"Part load booking {part_load_booking_id} is {booking['status']}; nothing can be added to it.")
    trip = env.one(
        """SELECT t.code, t.destination, t.trip_day, t.status, t.price_per_m3_cents, t.discount_percent,
                  t.discount_up_to_m3, t.floor_fee_cents,
                  t.bookable_m3 - (SELECT coalesce(sum(p.volume_m3), 0.0)
                                   FROM part_load_pickups p
                                   JOIN part_load_bookings b ON b.id = p.part_load_booking_id
                                   WHERE b.part_load_trip_id = t.id AND b.status <> 'cancelled') AS free_m3
           FROM part_load_trips t WHERE t.id = ?""",
        [booking["part_load_trip_id"]],
    )
    if trip["status"] != "open":
        raise env.Error(f"Trip {trip['code']} to {trip['destination']} is {trip['status']}; nothing can be added to it.")
    if trip["trip_day"] <= env.now[:10]:
        raise env.Error(f"The day of trip {trip['code']}, {trip['trip_day']}, has come already.")
    if volume_m3 <= 0:
        raise env.Error("The volume must be more than 0 m³.")
    if floor < 0 or floor > 30:
        raise env.Error("A floor is a number from 0, the ground floor, to 30.")
    free = round(trip["free_m3"], 3)
    if volume_m3 > free:
        raise env.Error(f"Trip {trip['code']} to {trip['destination']} has only {free:g} m³ left.")
    env.insert(
        """INSERT INTO part_load_pickups (part_load_booking_id, street, town, floor, has_usable_lift, volume_m3)
           VALUES (:booking, :street, :town, :floor, :lift, :volume)""",
        {
            "booking": part_load_booking_id,
            "street": street,
            "town": town,
            "floor": floor,
            "lift": has_usable_lift,
            "volume": float(volume_m3),
        },
    )
    pickups = env.query(
        """SELECT id AS part_load_pickup_id, street, town, floor, has_usable_lift, volume_m3
           FROM part_load_pickups WHERE part_load_booking_id = ? ORDER BY id""",
        [part_load_booking_id],
    )
    price = _add_part_load_pickup_price(trip, pickups)
    env.execute(
        "UPDATE part_load_bookings SET price_cents = :price WHERE id = :booking AND customer_id = :user",
        {"price": price, "booking": part_load_booking_id, "user": env.user_id},
    )
    return {
        "part_load_booking_id": part_load_booking_id,
        "part_load_trip_id": booking["part_load_trip_id"],
        "destination": trip["destination"],
        "trip_day": trip["trip_day"],
        "volume_m3": round(sum(pickup["volume_m3"] for pickup in pickups), 3),
        "price_cents": price,
        "status": "booked",
        "booked_at": booking["booked_at"],
        "pickups": pickups,
    }

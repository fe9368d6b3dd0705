def search_part_load_trips(
    env, *, destination: str = None, first_day: str = None, last_day: str = None, status: str = None
) -> dict:
    """Finds part load trips that meet every filter, earliest first, with the room left."""
    rows = env.query(
        """SELECT t.id AS part_load_trip_id, t.code, t.destination, t.trip_day, v.name AS vehicle, t.bookable_m3,
                  t.bookable_m3 - (SELECT coalesce(sum(p.volume_m3), 0.0)
                                   FROM part_load_pickups p
                                   JOIN part_load_bookings b ON b.id = p.part_load_booking_id
                                   WHERE b.part_load_trip_id = t.id AND b.status <> 'cancelled') AS free_m3,
                  t.price_per_m3_cents, t.discount_percent, t.discount_up_to_m3, t.floor_fee_cents, t.status
           FROM part_load_trips t JOIN vehicles v ON v.id = t.vehicle_id
           WHERE (:status IS NULL OR t.status = :status)
             AND (:first_day IS NULL OR t.trip_day >= :first_day)
             AND (:last_day IS NULL OR t.trip_day <= :last_day)
           ORDER BY t.trip_day, t.id""",
        {"status": status, "first_day": first_day, "last_day": last_day},
    )
    if destination is not None:
        rows = [row for row in rows if row["destination"].casefold() == destination.casefold()]
    for row in rows:
        row["free_m3"] = round(row["free_m3"], 3)
    return {"part_load_trips": rows}

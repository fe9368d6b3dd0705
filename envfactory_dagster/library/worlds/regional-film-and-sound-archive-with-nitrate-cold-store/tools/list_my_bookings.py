def _booking_rows(env, booking_id, status, first_day, last_day) -> list:
    """The reader's bookings by day and hour."""
    rows = env.query(
        "SELECT b.id, b.booking_no, b.made_at, b.place_id, p.place, b.on_day, b.slot_id, s.slot, s.starts, s.ends, b.persons, b.item_id,"
        " i.item, i.title, b.technician_id, b.booth_slip_id, b.price_id, b.fee_cents, b.status, b.cancelled_at, b.note"
        " FROM bookings b JOIN places p ON p.id = b.place_id JOIN slots s ON s.id = b.slot_id JOIN items i ON i.id = b.item_id"
        " WHERE b.reader_id = :reader AND (:booking_id IS NULL OR b.id = :booking_id) AND (:status IS NULL OR b.status = :status)"
        " AND (:first IS NULL OR b.on_day >= :first) AND (:last IS NULL OR b.on_day <= :last) ORDER BY b.on_day, s.starts, b.id",
        {"reader": env.user_id, "booking_id": booking_id, "status": status, "first": first_day, "last": last_day})
    return [dict(r) for r in rows]


def list_my_bookings(env, *, status: str = None, first_day: str = None, last_day: str = None) -> dict:
    """Lists the reader's bookings by day."""
    return {"bookings": _booking_rows(env, None, status, first_day, last_day)}

import datetime


def _room_closed_on(env, day: str) -> bool:
    """Whether the room is closed on a day: Sundays and the closed days."""
    if datetime.date.fromisoformat(day).weekday() == 6:
        return True
    row = env.one("SELECT id FROM closed_days WHERE first_day <= ? AND last_day >= ?", [day, day])
    return row is not None


def _room_must_be_open(env) -> None:
    """Refuses outside the hours in which the books are written."""
    today = env.now[:10]
    hour = env.now[11:19]
    last = "13:30:00" if datetime.date.fromisoformat(today).weekday() == 5 else "17:30:00"
    if _room_closed_on(env, today) or hour < "10:00:00" or hour > last:
        raise env.Error("nothing is written in the books now: the room is open Monday to Friday 10:00-17:30 and Saturday 10:00-13:30, but not on closed days")


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


def _account_rows(env, status, order_id, booking_id) -> list:
    """Lines of the reader's account, of one order or booking where one is named, newest first."""
    rows = env.query(
        "SELECT a.id, a.price_id, p.price_no, p.what, a.amount_cents, a.written_at, a.order_can_id, a.cold_store_order_id,"
        " o.order_no, a.booking_id, b.booking_no, i.title, a.status, a.paid_on, a.note"
        " FROM account_lines a JOIN prices p ON p.id = a.price_id"
        " LEFT JOIN order_cans c ON c.id = a.order_can_id"
        " LEFT JOIN cold_store_orders o ON o.id = COALESCE(a.cold_store_order_id, c.cold_store_order_id)"
        " LEFT JOIN bookings b ON b.id = a.booking_id"
        " LEFT JOIN items i ON i.id = COALESCE(o.item_id, b.item_id)"
        " WHERE a.reader_id = :reader AND (:status IS NULL OR a.status = :status)"
        " AND (:order_id IS NULL OR o.id = :order_id) AND (:booking_id IS NULL OR b.id = :booking_id)"
        " ORDER BY a.written_at DESC, a.id DESC",
        {"reader": env.user_id, "status": status, "order_id": order_id, "booking_id": booking_id})
    return [dict(r) for r in rows]


def cancel_booking(env, *, booking_id: int) -> dict:
    """Cancels a booking that has not begun."""
    _room_must_be_open(env)
    booking = env.one(
        "SELECT b.id, b.booking_no, b.on_day, b.status, p.kind, s.slot, s.starts, r.price_no FROM bookings b JOIN places p ON p.id = b.place_id"
        " JOIN slots s ON s.id = b.slot_id JOIN prices r ON r.id = b.price_id WHERE b.id = ? AND b.reader_id = ?", [booking_id, env.user_id])
    if booking is None:
        raise env.Error(f"you have no booking {booking_id}")
    if booking["status"] != "booked":
        raise env.Error(f"your booking {booking['booking_no']} is {booking['status']} and cannot be cancelled")
    begins = datetime.datetime.fromisoformat(f"{booking['on_day']}T{booking['starts']}:00")
    now = datetime.datetime.fromisoformat(env.now)
    if now >= begins:
        raise env.Error(f"{booking['slot']} on {booking['on_day']} has begun")
    env.execute("UPDATE bookings SET status = 'cancelled', cancelled_at = ? WHERE id = ?", [env.now, booking_id])
    if booking["kind"] == "booth" or begins - now >= datetime.timedelta(hours=24):
        env.execute(
            "UPDATE account_lines SET status = 'dropped', note = 'cancelled in time' WHERE status = 'owed' AND booking_id = ?", [booking_id])
    lines = _account_rows(env, None, None, booking_id)
    if booking["price_no"] == "P07":
        other = env.one(
            "SELECT b.id FROM bookings b JOIN prices r ON r.id = b.price_id JOIN slots s ON s.id = b.slot_id WHERE b.reader_id = ?"
            " AND b.on_day = ? AND b.status = 'booked' AND r.price_no = 'P08' ORDER BY s.starts, b.id LIMIT 1", [env.user_id, booking["on_day"]])
        if other is not None:
            free = env.one("SELECT id, price_cents FROM prices WHERE price_no = 'P07'", [])
            env.execute(
                "UPDATE bookings SET price_id = :price, fee_cents = :fee WHERE id = :other AND id <> :booking",
                {"price": free["id"], "fee": free["price_cents"], "other": other["id"], "booking": booking_id})
            env.execute(
                "UPDATE account_lines SET status = 'dropped', note = 'now the first slot of the day' WHERE status = 'owed' AND booking_id = ?",
                [other["id"]])
            lines = lines + _account_rows(env, None, None, other["id"])
    return {"booking": _booking_rows(env, booking_id, None, None, None)[0], "account_lines": lines}

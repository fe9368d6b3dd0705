from datetime import date, datetime, timedelta


def _list_calendar_days_show(env, day):
    """What the workshop is on a day: open or closed, its hours, dust or spark."""
    weekday = date.fromisoformat(day).weekday()
    closing = env.one("SELECT reason FROM closing_days WHERE day = ?", [day])
    swap = env.one("SELECT becomes FROM day_swaps WHERE day = ?", [day])
    if closing is not None or weekday == 0:
        reason = closing["reason"] if closing is not None else "Monday is maintenance"
        return {"day": day, "is_open": False, "closed_reason": reason, "opens_at": None,
                "closes_at": None, "day_kind": None, "swapped": False}
    usual = "dust" if weekday in (1, 3, 5) else "spark"
    opens, closes = ("10:00:00", "17:00:00") if weekday == 6 else ("09:00:00", "22:00:00")
    return {"day": day, "is_open": True, "closed_reason": None, "opens_at": day + "T" + opens,
            "closes_at": day + "T" + closes, "day_kind": usual if swap is None else swap["becomes"],
            "swapped": swap is not None}


def _search_stations_row(env, station_id):
    row = env.one("SELECT * FROM stations WHERE id = ?", [station_id])
    if row is None:
        raise env.Error("there is no station with the id " + str(station_id))
    return row


def _search_bookings_show(env, booking_id):
    return env.one(
        """SELECT b.id AS booking_id, b.code, b.station_id, s.code AS station_code, s.machine, b.kind,
                  b.starts_at, b.ends_at, b.price_cents,
                  COALESCE((SELECT SUM(-c.amount_cents) FROM credit_entries c
                            WHERE c.booking_id = b.id AND c.kind = 'use'), 0) AS credit_paid_cents,
                  b.status, b.induction_place_id, b.booked_at, b.delay_reported_at, b.swept_at,
                  b.cancelled_at, b.cancel_reason, b.refund_cents
           FROM bookings b JOIN stations s ON s.id = b.station_id
           WHERE b.id = ? AND b.member_id = ?""", [booking_id, env.user_id])


def _book_hours_watch(env, day):
    """Gives the ember watch of a day to whoever has its last dust booking now."""
    last = env.one(
        """SELECT b.id, b.member_id FROM bookings b JOIN stations s ON s.id = b.station_id
           WHERE s.allowed_days = 'dust' AND substr(b.starts_at, 1, 10) = :day
             AND b.status IN ('provisional', 'confirmed')
           ORDER BY b.ends_at DESC,
             EXISTS (SELECT 1 FROM ember_watches w WHERE w.booking_id = b.id AND w.status = 'assigned') DESC,
             b.booked_at, b.id LIMIT 1""", {"day": day})
    held = False
    for watch in env.query(
            """SELECT w.id, w.booking_id FROM ember_watches w JOIN bookings b ON b.id = w.booking_id
               WHERE w.status = 'assigned' AND substr(b.starts_at, 1, 10) = ? ORDER BY w.id""", [day]):
        if last is not None and watch["booking_id"] == last["id"]:
            held = True
        else:
            env.execute("UPDATE ember_watches SET status = 'moved', ended_at = ? WHERE id = ?",
                        [env.now, watch["id"]])
    if last is not None and not held:
        env.insert("""INSERT INTO ember_watches (booking_id, member_id, status, assigned_at)
                      VALUES (?, ?, 'assigned', ?)""", [last["id"], last["member_id"], env.now])


def _cancel_booking_row(env, booking_id):
    row = env.one("SELECT * FROM bookings WHERE id = ? AND member_id = ?", [booking_id, env.user_id])
    if row is None:
        raise env.Error("you have no booking with the id " + str(booking_id))
    return row


def _cancel_booking_pay_back(env, booking, refund_cents):
    """Credit back to the portions it came from, the rest in money; gives both amounts."""
    used = env.query(
        """SELECT membership_id, expires_on, SUM(-amount_cents) AS cents FROM credit_entries
           WHERE booking_id = ? AND kind = 'use' GROUP BY membership_id, expires_on
           ORDER BY expires_on DESC, membership_id""", [booking["id"]])
    paid = sum(part["cents"] for part in used)
    credit = 0 if booking["price_cents"] == 0 else refund_cents * paid // booking["price_cents"]
    left, today = credit, env.now[:10]
    for part in used:
        back = min(left, part["cents"])
        if back > 0:
            expires_on = part["expires_on"]
            if expires_on < today:
                expires_on = (date.fromisoformat(today) + timedelta(days=14)).isoformat()
            env.insert(
                """INSERT INTO credit_entries (membership_id, kind, amount_cents, expires_on, booking_id,
                       entered_at) VALUES (?, 'refund', ?, ?, ?, ?)""",
                [part["membership_id"], back, expires_on, booking["id"], env.now])
            left -= back
    return credit, refund_cents - credit


def _cancel_booking_follow(env, booking):
    """What follows when a booking is gone: its announced guests and the ember watch."""
    for visit in env.query("""SELECT id FROM guest_visits WHERE booking_id = ? AND status = 'announced'
                              ORDER BY id""", [booking["id"]]):
        env.execute("UPDATE guest_visits SET status = 'cancelled', cancelled_at = ? WHERE id = ?",
                    [env.now, visit["id"]])
    station = _search_stations_row(env, booking["station_id"])
    if station["allowed_days"] == "dust":
        _book_hours_watch(env, booking["starts_at"][:10])


def cancel_booking(env, *, booking_id: int) -> dict:
    """Cancels a booking and refunds it by notice."""
    booking = _cancel_booking_row(env, booking_id)
    if booking["status"] not in ("provisional", "confirmed"):
        raise env.Error("that booking is " + booking["status"] + " and cannot be cancelled")
    if booking["starts_at"] <= env.now:
        raise env.Error("that booking has already started")
    price, reason = booking["price_cents"], "member"
    if env.one("""SELECT id FROM station_blocks WHERE station_id = ? AND status = 'in_force' AND starts_at < ?
                  AND (ends_at IS NULL OR ends_at > ?) LIMIT 1""",
               [booking["station_id"], booking["ends_at"], booking["starts_at"]]) is not None:
        reason, refund = "machine_down", price
    elif booking["kind"] == "hour":
        notice = datetime.fromisoformat(booking["starts_at"]) - datetime.fromisoformat(env.now)
        refund = price if notice >= timedelta(hours=48) else price // 2 if notice >= timedelta(hours=12) else 0
    else:
        day, count = date.fromisoformat(env.now[:10]), 0
        while day.isoformat() < booking["starts_at"][:10] and count < 5:
            if _list_calendar_days_show(env, day.isoformat())["is_open"]:
                count += 1
            day = day + timedelta(days=1)
        refund = price if count >= 5 else price // 2 if count >= 2 else 0
    env.execute("""UPDATE bookings SET status = 'cancelled', cancelled_at = ?, cancel_reason = ?, refund_cents = ?
                   WHERE id = ?""", [env.now, reason, refund, booking_id])
    credit, money = _cancel_booking_pay_back(env, booking, refund)
    _cancel_booking_follow(env, booking)
    return {"booking": _search_bookings_show(env, booking_id), "credit_refunded_cents": credit,
            "money_refunded_cents": money}

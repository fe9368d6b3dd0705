from datetime import date, datetime, timedelta


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


def _list_ember_watches_show(env, ember_watch_id):
    return env.one(
        """SELECT w.id AS ember_watch_id, w.booking_id, b.code AS booking_code, s.code AS station_code,
                  b.starts_at AS booking_starts_at, b.ends_at AS booking_ends_at, w.status,
                  w.assigned_at, w.ended_at
           FROM ember_watches w JOIN bookings b ON b.id = w.booking_id
           JOIN stations s ON s.id = b.station_id
           WHERE w.id = ? AND w.member_id = ?""", [ember_watch_id, env.user_id])


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


def refuse_ember_watch(env, *, ember_watch_id: int) -> dict:
    """Refuses an ember watch together with its booking, fully refunded."""
    watch = env.one("SELECT * FROM ember_watches WHERE id = ? AND member_id = ?", [ember_watch_id, env.user_id])
    if watch is None:
        raise env.Error("you have no ember watch with the id " + str(ember_watch_id))
    if watch["status"] != "assigned":
        raise env.Error("that ember watch is " + watch["status"] + " and cannot be refused")
    booking = env.one("SELECT * FROM bookings WHERE id = ?", [watch["booking_id"]])
    if booking["member_id"] != env.user_id or booking["status"] not in ("provisional", "confirmed"):
        raise env.Error("that ember watch does not belong to an open booking of yours")
    start = datetime.fromisoformat(booking["starts_at"])
    if start - datetime.fromisoformat(env.now) < timedelta(hours=2):
        raise env.Error("an ember watch can be refused until 2 hours before the booking starts")
    env.execute("UPDATE ember_watches SET status = 'refused', ended_at = ? WHERE id = ?",
                [env.now, ember_watch_id])
    env.execute("""UPDATE bookings SET status = 'cancelled', cancelled_at = ?, cancel_reason = 'watch_refused',
                   refund_cents = price_cents WHERE id = ?""", [env.now, booking["id"]])
    credit, money = _cancel_booking_pay_back(env, booking, booking["price_cents"])
    _cancel_booking_follow(env, booking)
    return {"ember_watch": _list_ember_watches_show(env, ember_watch_id),
            "booking": _search_bookings_show(env, booking["id"]), "credit_refunded_cents": credit,
            "money_refunded_cents": money}

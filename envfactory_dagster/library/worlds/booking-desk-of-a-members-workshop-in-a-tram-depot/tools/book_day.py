from datetime import date, datetime, timedelta


def _list_calendar_days_parse(env, text):
    try:
        if len(text) != 10:
            raise ValueError(text)
        return date.fromisoformat(text)
    except ValueError:
        raise env.Error("there is no day " + text + "; write it as 2026-05-07")


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


def _get_membership_row(env):
    row = env.one(
        """SELECT m.id, m.number, m.membership_type_id, t.name AS type_name, t.monthly_fee_cents,
                  t.monthly_credit_cents, m.started_on
           FROM membership_members mm JOIN memberships m ON m.id = mm.membership_id
           JOIN membership_types t ON t.id = m.membership_type_id WHERE mm.member_id = ?""",
        [env.user_id])
    if row is None:
        raise env.Error("you have no membership")
    return row


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


def _get_credit_balance_portions(env, membership_id):
    return env.query(
        """SELECT expires_on, SUM(amount_cents) AS left_cents FROM credit_entries
           WHERE membership_id = ? AND expires_on >= ? GROUP BY expires_on
           HAVING SUM(amount_cents) > 0 ORDER BY expires_on""", [membership_id, env.now[:10]])


def _book_hours_pay(env, membership_id, amount_cents, booking_id, storage_rental_id):
    """Pays from credit, what expires first going first; gives back what credit paid."""
    left = amount_cents
    for portion in _get_credit_balance_portions(env, membership_id):
        part = min(left, portion["left_cents"])
        if part > 0:
            env.insert(
                """INSERT INTO credit_entries (membership_id, kind, amount_cents, expires_on, booking_id,
                       storage_rental_id, entered_at) VALUES (?, 'use', ?, ?, ?, ?, ?)""",
                [membership_id, -part, portion["expires_on"], booking_id, storage_rental_id, env.now])
            left -= part
    return amount_cents - left


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


def _book_hours_watch_mine(env, booking_id):
    return env.one("""SELECT id FROM ember_watches WHERE booking_id = ? AND member_id = ?
                      AND status = 'assigned'""", [booking_id, env.user_id]) is not None


def _book_hours_laser_minutes(env, membership_id, day, moved_id):
    """Minutes on L1 of a membership in the week of a day that count, and minutes it may hold."""
    monday = date.fromisoformat(day) - timedelta(days=date.fromisoformat(day).weekday())
    sunday = monday + timedelta(days=6)
    who = {"ms": membership_id, "first": monday.isoformat(), "last": sunday.isoformat(), "moved": moved_id}
    minutes = 0
    for row in env.query(
            """SELECT b.starts_at, b.ends_at, b.booked_at FROM bookings b
               JOIN stations s ON s.id = b.station_id
               JOIN membership_members mm ON mm.member_id = b.member_id
               WHERE mm.membership_id = :ms AND s.code = 'L1'
                 AND b.status IN ('provisional', 'confirmed', 'used')
                 AND substr(b.starts_at, 1, 10) BETWEEN :first AND :last
                 AND (:moved IS NULL OR b.id <> :moved) ORDER BY b.id""", who):
        eve = date.fromisoformat(row["starts_at"][:10]) - timedelta(days=1)
        if row["booked_at"] <= eve.isoformat() + "T20:00:00":
            length = datetime.fromisoformat(row["ends_at"]) - datetime.fromisoformat(row["starts_at"])
            minutes += int(length.total_seconds()) // 60
    shifts = env.one(
        """SELECT COUNT(*) AS n FROM supervisor_shifts f
           JOIN membership_members mm ON mm.member_id = f.supervisor_member_id
           WHERE mm.membership_id = :ms AND f.status = 'worked'
             AND substr(f.starts_at, 1, 10) BETWEEN :first AND :last""",
        {"ms": membership_id, "first": monday.isoformat(), "last": sunday.isoformat()})
    return minutes, shifts["n"] * 120


def _book_hours_check(env, station, starts_at, ends_at, kind, moved_id):
    """Every rule for a slot on a station; gives the status and the place it hangs on."""
    start, end = datetime.fromisoformat(starts_at), datetime.fromisoformat(ends_at)
    now, day, code = datetime.fromisoformat(env.now), starts_at[:10], station["code"]
    membership = _get_membership_row(env)
    studio = membership["type_name"] == "Studio"
    if start <= now:
        raise env.Error("that time is already over")
    today = _list_calendar_days_show(env, day)
    if not today["is_open"]:
        raise env.Error("the workshop is closed on " + day + ": " + today["closed_reason"])
    if starts_at < today["opens_at"] or ends_at > today["closes_at"]:
        raise env.Error("on " + day + " the workshop is open from " + today["opens_at"][11:16]
                        + " to " + today["closes_at"][11:16])
    if kind == "hour":
        if start - now < timedelta(hours=1):
            raise env.Error("an hourly booking is made at the latest 1 hour before it starts")
        most = 28 if studio else 21
        if (start.date() - now.date()).days > most:
            raise env.Error("an hourly booking is made at most " + str(most) + " days ahead")
    else:
        last, found = start.date(), 0
        while found < 2:
            last = last - timedelta(days=1)
            if _list_calendar_days_show(env, last.isoformat())["is_open"]:
                found += 1
        if env.now > last.isoformat() + "T18:00:00":
            raise env.Error("a day booking for " + day + " had to be made by " + last.isoformat() + ", 18:00")
    if station["allowed_days"] != "any" and station["allowed_days"] != today["day_kind"]:
        raise env.Error(code + " runs on " + station["allowed_days"] + " days only, and " + day + " is a "
                        + today["day_kind"] + " day")
    if station["allowed_days"] == "dust":
        latest = "16:15:00" if start.weekday() == 6 else "21:15:00"
        if ends_at[11:] > latest:
            raise env.Error("no dust booking ends after " + latest[:5] + " that day")
    if membership["type_name"] == "Evening" and start.weekday() != 6 and start.hour < 17:
        raise env.Error("an Evening membership books from 17:00 and on Sunday")
    if membership["type_name"] == "Friend" and not code.startswith("B"):
        raise env.Error("a Friend membership books benches only")
    if env.one("SELECT id FROM risk_forms WHERE member_id = ? AND year = ?",
               [env.user_id, start.year]) is None:
        raise env.Error("you have not accepted the risk form for " + str(start.year))
    status, place_id = "confirmed", None
    valid = env.one("""SELECT id FROM inductions WHERE member_id = ? AND induction_type_id = ?
                       AND passed_on <= ? AND valid_until >= ?""",
                    [env.user_id, station["induction_type_id"], day, day])
    if valid is None:
        by = (start - timedelta(days=3)).isoformat()
        place = env.one(
            """SELECT p.id FROM induction_places p JOIN induction_sessions se ON se.id = p.induction_session_id
               WHERE p.member_id = ? AND se.induction_type_id = ? AND p.status = 'booked'
                 AND p.booked_at <= ? AND se.ends_at <= ? ORDER BY se.ends_at, p.id LIMIT 1""",
            [env.user_id, station["induction_type_id"], by, starts_at])
        if place is None:
            raise env.Error("your induction for " + code + " is not valid on " + day + ", and you have no "
                            "session for it booked at least 3 days before")
        status, place_id = "provisional", place["id"]
    if env.one("""SELECT id FROM bookings WHERE station_id = :station AND starts_at < :end AND ends_at > :start
                  AND status IN ('provisional', 'confirmed', 'used') AND (:moved IS NULL OR id <> :moved)
                  LIMIT 1""", {"station": station["id"], "start": starts_at, "end": ends_at,
                               "moved": moved_id}) is not None:
        raise env.Error(code + " is taken at that time")
    if env.one("""SELECT id FROM station_blocks WHERE station_id = :station AND status = 'in_force'
                  AND starts_at < :end AND (ends_at IS NULL OR ends_at > :start) LIMIT 1""",
               {"station": station["id"], "start": starts_at, "end": ends_at}) is not None:
        raise env.Error(code + " is blocked at that time")
    if env.one("""SELECT id FROM bookings WHERE member_id = :me AND starts_at < :end AND ends_at > :start
                  AND status IN ('provisional', 'confirmed', 'used') AND (:moved IS NULL OR id <> :moved)
                  LIMIT 1""", {"me": env.user_id, "start": starts_at, "end": ends_at,
                               "moved": moved_id}) is not None:
        raise env.Error("you have another booking at that time")
    if station["is_red"]:
        covered = starts_at
        for shift in env.query(
                """SELECT starts_at, ends_at FROM supervisor_shifts WHERE hall_id = ? AND status <> 'missed'
                   AND substr(starts_at, 1, 10) = ? ORDER BY starts_at, id""", [station["hall_id"], day]):
            if shift["starts_at"] <= covered < shift["ends_at"]:
                covered = shift["ends_at"]
        if covered < ends_at:
            raise env.Error(code + " is a red machine and its hall has no supervisor on duty for all of that time")
    eve = (start.date() - timedelta(days=1)).isoformat() + "T20:00:00"
    if code == "L1" and env.now <= eve:
        held, extra = _book_hours_laser_minutes(env, membership["id"], day, moved_id)
        most = (720 if studio else 360) + extra
        if held + int((end - start).total_seconds()) // 60 > most:
            raise env.Error("your membership may hold " + str(most // 60) + " hours on L1 that week and holds "
                            + format(held / 60, "g") + " already")
    return status, place_id


def _book_hours_save(env, station, kind, starts_at, ends_at, price_cents, status, place_id, use_credit):
    booking_id = env.insert(
        """INSERT INTO bookings (code, member_id, station_id, kind, starts_at, ends_at, price_cents, status,
               induction_place_id, booked_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        [env.new_id("WB"), env.user_id, station["id"], kind, starts_at, ends_at, price_cents, status,
         place_id, env.now])
    if use_credit:
        _book_hours_pay(env, _get_membership_row(env)["id"], price_cents, booking_id, None)
    if station["allowed_days"] == "dust":
        _book_hours_watch(env, starts_at[:10])
    return {"booking": _search_bookings_show(env, booking_id),
            "ember_watch_mine": _book_hours_watch_mine(env, booking_id)}


def book_day(env, *, station_id: int, day: str, use_credit: bool = True) -> dict:
    """Books a station for a whole day and pays it."""
    station = _search_stations_row(env, station_id)
    if station["day_price_cents"] is None:
        raise env.Error(station["code"] + " is booked by the hour only")
    _list_calendar_days_parse(env, day)
    shown = _list_calendar_days_show(env, day)
    if not shown["is_open"]:
        raise env.Error("the workshop is closed on " + day + ": " + shown["closed_reason"])
    starts_at, ends_at = shown["opens_at"], shown["closes_at"]
    if station["allowed_days"] == "dust":
        ends_at = day + ("T16:15:00" if date.fromisoformat(day).weekday() == 6 else "T21:15:00")
    status, place_id = _book_hours_check(env, station, starts_at, ends_at, "day", None)
    return _book_hours_save(env, station, "day", starts_at, ends_at, station["day_price_cents"], status, place_id,
                            use_credit)

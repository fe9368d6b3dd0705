import datetime


def _code(prefix: str, shown: str) -> str:
    """The code as it is kept: SB-002110 becomes S-02110."""
    return prefix + "-" + f"{int(shown.split('-')[1]):05d}"


def _shown(prefix: str, kept: str) -> str:
    """The code as it is told: S-02110 becomes SB-002110."""
    return prefix + "-" + f"{int(kept.split('-')[1]):06d}"


def _ticket_kept(ticket_no: str) -> str:
    return "RO-" + str(int(ticket_no[2:]))


def _plus(day: str, days: int) -> str:
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _age(born: str, day: str) -> int:
    return int(day[:4]) - int(born[:4]) - (1 if day[5:] < born[5:] else 0)


def _ticket_status(reader: dict, day: str) -> str:
    if reader["ticket_status"] == "suspended":
        return "suspended"
    if reader["ticket_valid_until"] < day:
        return "expired"
    return "provisional" if reader["ticket_kind"] == "provisional" else "current"


def _reader(env, ticket_no: str) -> dict:
    row = env.one("SELECT * FROM readers WHERE ticket_no = ?", [_ticket_kept(ticket_no)])
    if row is None:
        raise env.Error(f"There is no reader with ticket {ticket_no}.")
    return row


def _seat_code(label: str) -> str:
    """S01 for Reading table 1, M1 for the map table, F1 for a film reader, A1 for the adjustable table."""
    number = int(label.split()[-1]) if label.split()[-1].isdigit() else 1
    if label.startswith("Reading"):
        return f"S{number:02d}"
    return ("M" if label.startswith("Map") else "F" if label.startswith("Microfilm") else "A") + str(number)


def _shut_parts(env, day: str) -> list:
    return [r["part"] for r in env.query("SELECT part FROM closures WHERE day = ? ORDER BY id", [day])]


def _sittings(env, day: str) -> list:
    """The sittings of a day that no closure takes away, the earliest first."""
    weekday = datetime.date.fromisoformat(day).isoweekday()
    rows = env.query("SELECT * FROM opening_sittings WHERE weekday = ? ORDER BY starts_at, ends_at, id", [weekday])
    parts = _shut_parts(env, day)
    if "all_day" in parts:
        return []
    kept = []
    for row in rows:
        if row["sitting"] in parts or (row["sitting"] == "full_day" and ("morning" in parts or "afternoon" in parts)):
            continue
        kept.append(row)
    return kept


def _room_day_after(env, day: str, count: int) -> str:
    """The day that is so many room days after this one."""
    current, left, guard = day, count, 0
    while left > 0 and guard < 400:
        current, guard = _plus(current, 1), guard + 1
        if _sittings(env, current):
            left -= 1
    return current


def _promote(env, piece_id: int, run) -> list:
    """Give a freed place on a run to the first request waiting for the piece."""
    waiting = env.one("SELECT q.id, q.request_no, b.day FROM piece_requests q JOIN seat_bookings b ON b.id = q.seat_booking_id WHERE q.piece_id = ? AND q.status = 'queued' ORDER BY q.requested_at, q.id LIMIT 1", [piece_id])
    if waiting is None or run is None or run["run_date"] > waiting["day"]:
        return []
    env.execute("UPDATE piece_requests SET status = 'listed', van_run_id = ? WHERE id = ?", [run["id"], waiting["id"]])
    return [{"id": waiting["id"], "request_no": waiting["request_no"], "run_date": run["run_date"]}]


def _hold_for_next(env, piece_id: int) -> bool:
    """Put a piece that is free in the room on hold for the first request waiting for it."""
    waiting = env.one("SELECT id FROM piece_requests WHERE piece_id = ? AND status = 'queued' ORDER BY requested_at, id LIMIT 1", [piece_id])
    if waiting is None:
        return False
    env.execute("UPDATE piece_requests SET status = 'on_hold', arrived_at = ?, held_until = ? WHERE id = ?", [env.now, _room_day_after(env, env.now[:10], 10), waiting["id"]])
    return True


def book_seat(env, *, ticket_no: str, date: str, sitting: str, seat_kind: str, seat: str = None, companion_ticket_no: str = None, displaced_priority: bool = False, replaces_booking_id: str = None, drop_late_pieces: bool = False) -> dict:
    """Book a seat, or move a booking to another one."""
    reader, today = _reader(env, ticket_no), env.now[:10]
    if reader["ticket_status"] == "suspended":
        raise env.Error(f"Ticket {ticket_no} is suspended.")
    if not today <= date <= _plus(today, 60):
        raise env.Error(f"A seat can be booked from today to 60 days ahead, that is until {_plus(today, 60)}.")
    if reader["ticket_valid_until"] < date:
        raise env.Error(f"The reader's ticket is valid only until {reader['ticket_valid_until']}.")
    if reader["ticket_kind"] == "provisional" and seat_kind != "microfilm_reader":
        raise env.Error("With a provisional ticket only a microfilm reader can be booked.")
    slot = next((s for s in _sittings(env, date) if s["sitting"] == sitting), None)
    if slot is None:
        raise env.Error(f"The room keeps no {sitting.replace('_', ' ')} sitting on {date}.")
    if date == today and slot["ends_at"] <= env.now[11:16]:
        raise env.Error("That sitting is over.")
    companion = _reader(env, companion_ticket_no) if companion_ticket_no else None
    if companion and (companion["id"] == reader["id"] or _ticket_status(companion, today) != "current" or _age(companion["date_of_birth"], today) < 18):
        raise env.Error("The companion must be another reader, an adult with a current ticket.")
    if _age(reader["date_of_birth"], date) < 16 and companion is None:
        raise env.Error("A reader under 16 needs an adult with a ticket as companion.")
    old = None
    if replaces_booking_id:
        old = env.one("SELECT b.*, o.starts_at FROM seat_bookings b JOIN opening_sittings o ON o.id = b.opening_sitting_id WHERE b.booking_no = ? AND b.reader_id = ?", [_code("S", replaces_booking_id), reader["id"]])
        if old is None:
            raise env.Error(f"This reader has no booking {replaces_booking_id}.")
        if old["status"] != "booked" or old["day"] + "T" + old["starts_at"] + ":00" <= env.now:
            raise env.Error(f"Booking {replaces_booking_id} no longer stands or has begun.")
    keep_id = old["id"] if old else 0
    future = env.one("SELECT count(*) AS n FROM seat_bookings b JOIN opening_sittings o ON o.id = b.opening_sitting_id WHERE b.reader_id = ? AND b.status = 'booked' AND b.id <> ? AND b.day || 'T' || o.starts_at || ':00' > ?", [reader["id"], keep_id, env.now])["n"]
    if future >= 6:
        raise env.Error("The reader has 6 future bookings already, and no more are allowed.")
    missed = env.one("SELECT count(*) AS n FROM seat_bookings WHERE reader_id = ? AND status = 'no_show' AND day >= ?", [reader["id"], _plus(today, -90)])["n"]
    if missed >= 3 and date != today:
        raise env.Error("After three no-shows in 90 days this reader may book only for the same day.")
    if displaced_priority and env.one("SELECT b.id FROM seat_bookings b WHERE b.reader_id = ? AND b.status = 'closed_out' AND b.day >= ? LIMIT 1", [reader["id"], _plus(today, -14)]) is None:
        raise env.Error("The reader has not been displaced by a closure in the last 14 days.")
    clash = env.one("SELECT b.booking_no FROM seat_bookings b JOIN opening_sittings o ON o.id = b.opening_sitting_id WHERE b.reader_id = ? AND b.day = ? AND b.status IN ('booked', 'attended') AND b.id <> ? AND o.starts_at < ? AND o.ends_at > ? LIMIT 1", [reader["id"], date, keep_id, slot["ends_at"], slot["starts_at"]])
    if clash:
        raise env.Error(f"The reader has a booking then already, {_shown('SB', clash['booking_no'])}.")
    seats = env.query("SELECT * FROM seats WHERE seat_kind = ? ORDER BY id", [seat_kind])
    if seat:
        seats = [s for s in seats if _seat_code(s["label"]) == seat]
        if not seats:
            raise env.Error(f"There is no seat {seat} of that kind.")
    taken = [r["seat_id"] for r in env.query("SELECT b.seat_id FROM seat_bookings b JOIN opening_sittings o ON o.id = b.opening_sitting_id WHERE b.day = ? AND b.status IN ('booked', 'attended') AND b.id <> ? AND o.starts_at < ? AND o.ends_at > ? ORDER BY b.id", [date, keep_id, slot["ends_at"], slot["starts_at"]])]
    free = [s for s in seats if s["id"] not in taken]
    if not free:
        raise env.Error(f"No seat of that kind is free for that sitting on {date}.")
    carried, dropped = [], []
    if old:
        for row in env.query("SELECT q.*, v.run_date, v.list_closes_at FROM piece_requests q LEFT JOIN van_runs v ON v.id = q.van_run_id WHERE q.seat_booking_id = ? AND q.status IN ('queued', 'listed', 'on_hold') ORDER BY q.id", [old["id"]]):
            late = (row["status"] == "listed" and (row["run_date"] > date or (row["run_date"] == date and slot["ends_at"] < "11:30"))) or (row["status"] == "on_hold" and row["held_until"] < date)
            (dropped if late else carried).append(row)
        if dropped and not drop_late_pieces:
            raise env.Error("Pieces asked for would not be there, or no longer held, on the new day; say if they may be dropped.")
        env.execute("UPDATE seat_bookings SET status = 'cancelled', cancelled_at = ?, cancel_cause = 'reader_changed_plans' WHERE id = ?", [env.now, old["id"]])
    number = env.new_id("S")
    key = env.insert("INSERT INTO seat_bookings (booking_no, reader_id, seat_id, opening_sitting_id, day, status, booked_at) VALUES (?, ?, ?, ?, ?, 'booked', ?)", [number, reader["id"], free[0]["id"], slot["id"], date, env.now])
    for row in carried:
        env.execute("UPDATE piece_requests SET seat_booking_id = ? WHERE id = ?", [key, row["id"]])
    for row in dropped:
        still_open = row["status"] == "listed" and row["list_closes_at"] > env.now
        env.execute("UPDATE piece_requests SET status = ?, cancelled_at = ?, cancel_cause = 'visit_cancelled' WHERE id = ?", ["cancelled" if still_open else "released", env.now, row["id"]])
        if still_open:
            _promote(env, row["piece_id"], {"id": row["van_run_id"], "run_date": row["run_date"]})
        elif row["status"] == "on_hold":
            _hold_for_next(env, row["piece_id"])
    return {"booking_id": _shown("SB", number), "seat": _seat_code(free[0]["label"]), "requests_carried": [_shown("PR", r["request_no"]) for r in carried], "requests_dropped": [_shown("PR", r["request_no"]) for r in dropped]}

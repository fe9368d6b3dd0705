import datetime


def _code(prefix: str, shown: str) -> str:
    """The code as it is kept: SB-002110 becomes S-02110."""
    return prefix + "-" + f"{int(shown.split('-')[1]):05d}"


def _shown(prefix: str, kept: str) -> str:
    """The code as it is told: S-02110 becomes SB-002110."""
    return prefix + "-" + f"{int(kept.split('-')[1]):06d}"


def _ticket_kept(ticket_no: str) -> str:
    return "RO-" + str(int(ticket_no[2:]))


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


def _desk_clerk(env) -> None:
    """Refuse what only a clerk of the desk may enter."""
    clerk = env.one("SELECT id, role FROM readers WHERE id = ?", [env.user_id])
    if clerk is None or clerk["role"] != "desk_clerk":
        raise env.Error("Only a clerk of the desk can enter this.")


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


def sign_reader_in(env, *, ticket_no: str, direction: str, booking_id: str = None, seat_kind: str = None, locker_no: int = None) -> dict:
    """Sign a reader in to the room or out of it, today."""
    _desk_clerk(env)
    reader, today = _reader(env, ticket_no), env.now[:10]
    inside = env.one("SELECT * FROM attendances WHERE reader_id = ? AND signed_out_at IS NULL", [reader["id"]])
    if direction == "out":
        if inside is None or inside["day"] != today:
            raise env.Error("The reader is not signed in today.")
        piece = env.one("SELECT p.piece_ref FROM piece_requests q JOIN pieces p ON p.id = q.piece_id WHERE q.reader_id = ? AND q.status = 'issued' LIMIT 1", [reader["id"]])
        if piece:
            raise env.Error(f"{piece['piece_ref'].upper()} is still out to the reader and must come back first.")
        env.execute("UPDATE attendances SET signed_out_at = ? WHERE id = ?", [env.now, inside["id"]])
        seated = env.one("SELECT b.booking_no, s.label FROM seat_bookings b JOIN seats s ON s.id = b.seat_id WHERE b.id = ?", [inside["seat_booking_id"]])
        return {"ticket_no": ticket_no, "direction": "out", "day": today, "signed_in_at": inside["signed_in_at"], "signed_out_at": env.now, "booking_id": _shown("SB", seated["booking_no"]) if seated else None, "seat": _seat_code(seated["label"]) if seated else None}
    status = _ticket_status(reader, today)
    if status in ("suspended", "expired"):
        raise env.Error(f"The reader's ticket is {status}.")
    if inside is not None:
        raise env.Error("The reader is signed in already." if inside["day"] == today else "The reader was never signed out on " + inside["day"] + ".")
    clock = env.now[11:16]
    slots = [s for s in _sittings(env, today) if s["ends_at"] > clock]
    if not slots:
        raise env.Error("The room is not open any more today.")
    if booking_id:
        booking = env.one("SELECT b.*, s.label, s.seat_kind, o.ends_at FROM seat_bookings b JOIN seats s ON s.id = b.seat_id JOIN opening_sittings o ON o.id = b.opening_sitting_id WHERE b.booking_no = ? AND b.reader_id = ?", [_code("S", booking_id), reader["id"]])
        if booking is None:
            raise env.Error(f"This reader has no booking {booking_id}.")
        if booking["day"] != today or booking["status"] not in ("booked", "attended") or booking["ends_at"] <= clock:
            raise env.Error(f"Booking {booking_id} is not one for now.")
    else:
        booking = env.one("SELECT b.*, s.label, s.seat_kind, o.ends_at FROM seat_bookings b JOIN seats s ON s.id = b.seat_id JOIN opening_sittings o ON o.id = b.opening_sitting_id WHERE b.reader_id = ? AND b.day = ? AND b.status IN ('booked', 'attended') AND o.ends_at > ? ORDER BY o.starts_at, b.id LIMIT 1", [reader["id"], today, clock])
    if booking:
        env.execute("UPDATE seat_bookings SET status = 'attended' WHERE id = ?", [booking["id"]])
        key, number, label = booking["id"], booking["booking_no"], booking["label"]
    else:
        if not seat_kind:
            raise env.Error("The reader has no booking for now; say what kind of seat is wanted.")
        if status == "provisional" and seat_kind != "microfilm_reader":
            raise env.Error("With a provisional ticket only a microfilm reader can be used.")
        slot = [s for s in slots if s["sitting"] != "full_day"][0]
        taken = [r["seat_id"] for r in env.query("SELECT b.seat_id FROM seat_bookings b JOIN opening_sittings o ON o.id = b.opening_sitting_id WHERE b.day = ? AND b.status IN ('booked', 'attended') AND o.starts_at < ? AND o.ends_at > ? ORDER BY b.id", [today, slot["ends_at"], slot["starts_at"]])]
        free = [s for s in env.query("SELECT * FROM seats WHERE seat_kind = ? ORDER BY id", [seat_kind]) if s["id"] not in taken]
        if not free:
            raise env.Error("No seat of that kind is free now.")
        number, label = env.new_id("S"), free[0]["label"]
        key = env.insert("INSERT INTO seat_bookings (booking_no, reader_id, seat_id, opening_sitting_id, day, status, booked_at) VALUES (?, ?, ?, ?, ?, 'attended', ?)", [number, reader["id"], free[0]["id"], slot["id"], today, env.now])
    env.insert("INSERT INTO attendances (reader_id, seat_booking_id, day, signed_in_at) VALUES (?, ?, ?, ?)", [reader["id"], key, today, env.now])
    return {"ticket_no": ticket_no, "direction": "in", "day": today, "signed_in_at": env.now, "signed_out_at": None, "booking_id": _shown("SB", number), "seat": _seat_code(label)}

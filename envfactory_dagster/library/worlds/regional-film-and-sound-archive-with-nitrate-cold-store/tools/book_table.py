import datetime
import re


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


def _day_of_booking(env, on_day: str, slot: dict) -> None:
    """Refuses days and slots that are not given, or have begun."""
    try:
        date = datetime.date.fromisoformat(on_day)
    except ValueError:
        raise env.Error(f"{on_day} is no day")
    if _room_closed_on(env, on_day):
        raise env.Error(f"the room is closed on {on_day}")
    if date.weekday() == 5 and slot["on_days"] != "Monday–Saturday":
        raise env.Error(f"{slot['slot']} is not given on Saturdays")
    if f"{on_day}T{slot['starts']}:00" < env.now:
        raise env.Error(f"{slot['slot']} on {on_day} has begun or is over")


def _reader_card(env) -> dict:
    """The reader with the class of the card."""
    return env.one(
        "SELECT r.id, r.card_no, r.name, r.town, r.card_class_id, c.card_class, c.class_name, r.born, r.issued_on, r.renewed_on,"
        " r.valid_until, r.proof_from, r.proof_dated, r.induction_on, c.technician_session_fee_cents"
        " FROM readers r JOIN card_classes c ON c.id = r.card_class_id WHERE r.id = ?", [env.user_id])


def _session_hindrance(env, day: str, slot: dict, valid_until: str, without_order_id: int):
    """Why the reader cannot have this session of the viewing table, or None; whether it is taken is looked at elsewhere."""
    date = datetime.date.fromisoformat(day)
    if date > datetime.date.fromisoformat(env.now[:10]) + datetime.timedelta(days=21):
        return f"{day} is more than 21 days ahead"
    if day > valid_until:
        return f"your card is valid until {valid_until} and not on {day}; it is renewed first"
    monday = date - datetime.timedelta(days=date.weekday())
    sunday = monday + datetime.timedelta(days=6)
    mine = env.query(
        "SELECT o.session_day AS day, s.slot, s.kind, s.starts, s.ends FROM cold_store_orders o JOIN slots s ON s.id = o.session_slot_id"
        " WHERE o.reader_id = :reader AND o.id <> :without AND o.status IN ('on a run', 'seen', 'absent')"
        " AND o.session_day BETWEEN :monday AND :sunday"
        " UNION ALL"
        " SELECT b.on_day AS day, s.slot, s.kind, s.starts, s.ends FROM bookings b JOIN slots s ON s.id = b.slot_id"
        " WHERE b.reader_id = :reader AND b.status IN ('booked', 'came', 'absent') AND b.on_day BETWEEN :monday AND :sunday"
        " ORDER BY 1, 4",
        {"reader": env.user_id, "without": without_order_id, "monday": monday.isoformat(), "sunday": sunday.isoformat()})
    for row in mine:
        if row["day"] == day and row["starts"] < slot["ends"] and slot["starts"] < row["ends"]:
            return f"you have {row['slot']} on {day} at that hour, and nobody is in two places"
    if len([row for row in mine if row["kind"] == "viewing table"]) >= 3:
        return f"you have 3 sessions at the viewing table in the week of {day} already"
    return None


def _house_item_from(env) -> str:
    """The moment from which a disc or reel ordered now is in the room."""
    today = datetime.date.fromisoformat(env.now[:10])
    if env.now[11:19] <= "11:00:00" and today.weekday() < 5:
        return f"{today.isoformat()}T14:00:00"
    day = today + datetime.timedelta(days=1)
    while _room_closed_on(env, day.isoformat()):
        day = day + datetime.timedelta(days=1)
    return f"{day.isoformat()}T10:00:00"


def _item_promised(env, item: dict, on_day: str, slot: dict):
    """Refuses a disc or reel that is promised to another at that hour or is not here by then."""
    here = _house_item_from(env)
    if f"{on_day}T{slot['starts']}:00" < here:
        raise env.Error(f"{item['title']} ({item['item']}), ordered now, is here from {here[:10]}, {here[11:16]}")
    other = env.one(
        "SELECT b.id FROM bookings b JOIN slots s ON s.id = b.slot_id WHERE b.item_id = :item AND b.on_day = :day"
        " AND b.status IN ('booked', 'came') AND s.starts < :ends AND s.ends > :starts ORDER BY b.id LIMIT 1",
        {"item": item["id"], "day": on_day, "starts": slot["starts"], "ends": slot["ends"]})
    if other is not None:
        raise env.Error(f"{item['title']} ({item['item']}) is promised for {slot['slot']} on {on_day} already, and there is one copy")


def _next_number(env, letters: str, rows: list) -> str:
    """The number after the last of this year, without a gap."""
    head = f"{letters}-{env.now[2:4]}-"
    last = 0
    for row in rows:
        if row["no"].startswith(head) and row["no"][len(head):].isdigit():
            last = max(last, int(row["no"][len(head):]))
    return f"{head}{last + 1:03d}"


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


def book_table(env, *, on_day: str, slot_id: int, item_id: int, with_technician: bool) -> dict:
    """Books the viewing table with a house reel."""
    _room_must_be_open(env)
    slot = env.one("SELECT id, slot, kind, starts, ends, on_days, days_ahead FROM slots WHERE id = ?", [slot_id])
    if slot is None:
        raise env.Error(f"there is no slot {slot_id}")
    if slot["kind"] != "viewing table":
        raise env.Error(f"{slot['slot']} is a booth slot, the viewing table has T1 and T2")
    item = env.one("SELECT id, item, item_class, title FROM items WHERE id = ?", [item_id])
    if item is None:
        raise env.Error(f"there is no item {item_id}")
    if item["item_class"] not in ("A", "P"):
        raise env.Error(f"{item['title']} ({item['item']}) is no house reel; cans from Sebal are ordered with their session, discs are heard in a booth")
    _day_of_booking(env, on_day, dict(slot))
    card = _reader_card(env)
    reason = _session_hindrance(env, on_day, dict(slot), card["valid_until"], 0)
    if reason is not None:
        raise env.Error(reason)
    run = env.one(
        "SELECT code, orders_close_at FROM van_runs WHERE status = 'planned' AND takes_readers_orders = 1"
        " AND (first_viewing_day = :day OR second_viewing_day = :day) AND orders_close_at >= :now ORDER BY run_on LIMIT 1",
        {"day": on_day, "now": env.now})
    if run is not None:
        raise env.Error(f"{on_day} is a viewing day of {run['code']}: house reels are booked only after {run['orders_close_at'][:10]}, {run['orders_close_at'][11:16]}")
    taken = env.one(
        "SELECT 1 AS yes FROM cold_store_orders o WHERE o.session_day = :day AND o.session_slot_id = :slot AND o.status IN ('on a run', 'seen', 'absent')"
        " UNION ALL SELECT 1 AS yes FROM bookings b JOIN places p ON p.id = b.place_id WHERE p.kind = 'viewing table' AND b.on_day = :day"
        " AND b.slot_id = :slot AND b.status IN ('booked', 'came', 'absent') ORDER BY 1", {"day": on_day, "slot": slot_id})
    if taken is not None:
        raise env.Error(f"the viewing table is given away in {slot['slot']} on {on_day}")
    if not with_technician and (card["card_class"] != "I" or card["induction_on"] is None):
        raise env.Error("only I cards with the induction work at the table alone; book it with a technician")
    _item_promised(env, dict(item), on_day, dict(slot))
    technician_id = None
    if with_technician:
        price = env.one("SELECT id FROM prices WHERE price_no = 'P10'", [])
        fee = card["technician_session_fee_cents"]
        technician = env.one("SELECT id FROM staff WHERE post = 'technician' ORDER BY id LIMIT 1", [])
        technician_id = technician["id"] if technician else None
    else:
        price = env.one("SELECT id, price_cents FROM prices WHERE price_no = 'P09'", [])
        fee = price["price_cents"]
    place = env.one("SELECT id FROM places WHERE kind = 'viewing table' ORDER BY id LIMIT 1", [])
    number = _next_number(env, "BK", env.query("SELECT booking_no AS no FROM bookings ORDER BY id", []))
    booking_id = env.insert(
        "INSERT INTO bookings (booking_no, made_at, reader_id, place_id, on_day, slot_id, persons, item_id, technician_id, price_id,"
        " fee_cents, status) VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, 'booked')",
        [number, env.now, env.user_id, place["id"], on_day, slot_id, item_id, technician_id, price["id"], fee])
    env.insert(
        "INSERT INTO account_lines (reader_id, price_id, amount_cents, written_at, booking_id, status) VALUES (?, ?, ?, ?, ?, 'owed')",
        [env.user_id, price["id"], fee, env.now, booking_id])
    return {"booking": _booking_rows(env, booking_id, None, None, None)[0], "account_lines": _account_rows(env, None, None, booking_id)}

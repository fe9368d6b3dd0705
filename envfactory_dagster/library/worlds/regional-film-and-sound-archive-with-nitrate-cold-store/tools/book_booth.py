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


def _booth_bar_until(env):
    """The last day of a bar from booking booths ahead that holds today, or None."""
    today = datetime.date.fromisoformat(env.now[:10])
    rows = env.query(
        "SELECT b.on_day FROM bookings b JOIN places p ON p.id = b.place_id"
        " WHERE b.reader_id = ? AND b.status = 'absent' AND p.kind = 'booth' ORDER BY b.on_day, b.id", [env.user_id])
    days = [datetime.date.fromisoformat(r["on_day"]) for r in rows]
    until = None
    for first, second in zip(days, days[1:]):
        if (second - first).days <= 30:
            end = second + datetime.timedelta(days=30)
            if second < today <= end:
                until = end.isoformat()
    return until


def _reader_card(env) -> dict:
    """The reader with the class of the card."""
    return env.one(
        "SELECT r.id, r.card_no, r.name, r.town, r.card_class_id, c.card_class, c.class_name, r.born, r.issued_on, r.renewed_on,"
        " r.valid_until, r.proof_from, r.proof_dated, r.induction_on, c.technician_session_fee_cents"
        " FROM readers r JOIN card_classes c ON c.id = r.card_class_id WHERE r.id = ?", [env.user_id])


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


def book_booth(env, *, place_id: int, on_day: str, slot_id: int, item_id: int, persons: int = 1) -> dict:
    """Books a booth for one slot."""
    _room_must_be_open(env)
    place = env.one("SELECT id, place, kind FROM places WHERE id = ?", [place_id])
    if place is None:
        raise env.Error(f"there is no place {place_id}")
    if place["kind"] != "booth":
        raise env.Error(f"{place['place']} is the viewing table and no booth")
    slot = env.one("SELECT id, slot, kind, starts, ends, on_days, days_ahead FROM slots WHERE id = ?", [slot_id])
    if slot is None:
        raise env.Error(f"there is no slot {slot_id}")
    if slot["kind"] != "booth":
        raise env.Error(f"{slot['slot']} is a session of the viewing table, booths have S1 to S4")
    item = env.one("SELECT id, item, item_class, title, access_copy FROM items WHERE id = ?", [item_id])
    if item is None:
        raise env.Error(f"there is no item {item_id}")
    _day_of_booking(env, on_day, slot)
    today = env.now[:10]
    date = datetime.date.fromisoformat(on_day)
    if date > datetime.date.fromisoformat(today) + datetime.timedelta(days=slot["days_ahead"]):
        raise env.Error(f"booths are booked at most {slot['days_ahead']} days ahead")
    bar = _booth_bar_until(env)
    if bar is not None and on_day != today:
        raise env.Error(f"after two absences within 30 days you may book no booth ahead until {bar}, only one of the same day")
    card = _reader_card(env)
    if on_day > card["valid_until"]:
        raise env.Error(f"your card is valid until {card['valid_until']} and not on {on_day}; it is renewed first")
    copy = item["access_copy"] or ""
    if item["item_class"] in ("A", "P"):
        raise env.Error(f"{item['title']} ({item['item']}) is a reel and is seen at the viewing table")
    if item["item_class"] == "L" and copy != "transfer":
        raise env.Error(f"of {item['title']} ({item['item']}) there is no transfer, and lacquers are never played")
    if item["item_class"] in ("N", "V"):
        if not copy.startswith("file"):
            raise env.Error(f"of {item['title']} ({item['item']}) there is no file to be seen in a booth")
        if place["place"] != "B4":
            raise env.Error(f"the file of {item['title']} is seen on the screen of booth B4")
    if place["place"] == "B5":
        if persons > 3:
            raise env.Error("B5 is for two or three persons")
        if persons == 1:
            taken = env.one(
                "SELECT COUNT(*) AS n FROM bookings b JOIN places p ON p.id = b.place_id WHERE p.place IN ('B1', 'B2', 'B3', 'B4')"
                " AND b.on_day = ? AND b.slot_id = ? AND b.status IN ('booked', 'came', 'absent')", [on_day, slot_id])
            if taken["n"] < 4:
                raise env.Error("B5 is for two or three persons, and for one reader only if B1 to B4 are taken")
    elif persons != 1:
        raise env.Error(f"{place['place']} is for one person; two or three sit in B5")
    elsewhere = env.query(
        "SELECT s.slot FROM bookings b JOIN slots s ON s.id = b.slot_id WHERE b.reader_id = :reader AND b.on_day = :day"
        " AND b.status IN ('booked', 'came', 'absent') AND s.starts < :ends AND s.ends > :starts"
        " UNION ALL SELECT s.slot FROM cold_store_orders o JOIN slots s ON s.id = o.session_slot_id WHERE o.reader_id = :reader"
        " AND o.session_day = :day AND o.status IN ('on a run', 'seen', 'absent') AND s.starts < :ends AND s.ends > :starts ORDER BY 1",
        {"reader": env.user_id, "day": on_day, "starts": slot["starts"], "ends": slot["ends"]})
    if elsewhere:
        raise env.Error(f"you have {elsewhere[0]['slot']} on {on_day} at that hour, and nobody is in two places")
    other = env.one(
        "SELECT id FROM bookings WHERE place_id = ? AND on_day = ? AND slot_id = ? AND status IN ('booked', 'came', 'absent')",
        [place_id, on_day, slot_id])
    if other is not None:
        raise env.Error(f"{place['place']} is taken in {slot['slot']} on {on_day}")
    monday = (date - datetime.timedelta(days=date.weekday())).isoformat()
    sunday = (date + datetime.timedelta(days=6 - date.weekday())).isoformat()
    mine = env.one(
        "SELECT COALESCE(SUM(b.on_day = :day), 0) AS that_day, COALESCE(SUM(b.on_day = :day AND b.booth_slip_id IS NULL), 0) AS day_plain,"
        " COALESCE(SUM(b.booth_slip_id IS NULL), 0) AS week_plain FROM bookings b JOIN places p ON p.id = b.place_id"
        " WHERE b.reader_id = :reader AND p.kind = 'booth' AND b.status IN ('booked', 'came', 'absent') AND b.on_day BETWEEN :monday AND :sunday",
        {"reader": env.user_id, "day": on_day, "monday": monday, "sunday": sunday})
    slip_id = None
    if mine["day_plain"] >= 2 or mine["week_plain"] >= 4:
        slip = env.one(
            "SELECT l.id FROM booth_slips l WHERE l.reader_id = :reader AND l.first_day <= :day AND l.last_day >= :day AND l.extra_slots >"
            " (SELECT COUNT(*) FROM bookings b WHERE b.booth_slip_id = l.id AND b.status IN ('booked', 'came', 'absent'))"
            " ORDER BY l.last_day, l.id LIMIT 1", {"reader": env.user_id, "day": on_day})
        if slip is None:
            what = "2 booth slots on that day" if mine["day_plain"] >= 2 else "4 booth slots in that week"
            raise env.Error(f"you have {what} already; more need a slip signed by the head of the room")
        slip_id = slip["id"]
    if item["item_class"] == "D":
        _item_promised(env, dict(item), on_day, dict(slot))
    price = env.one("SELECT id, price_cents FROM prices WHERE price_no = ?", ["P08" if mine["that_day"] else "P07"])
    number = _next_number(env, "BK", env.query("SELECT booking_no AS no FROM bookings ORDER BY id", []))
    booking_id = env.insert(
        "INSERT INTO bookings (booking_no, made_at, reader_id, place_id, on_day, slot_id, persons, item_id, booth_slip_id, price_id,"
        " fee_cents, status) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'booked')",
        [number, env.now, env.user_id, place_id, on_day, slot_id, persons, item_id, slip_id, price["id"], price["price_cents"]])
    if price["price_cents"] > 0:
        env.insert(
            "INSERT INTO account_lines (reader_id, price_id, amount_cents, written_at, booking_id, status) VALUES (?, ?, ?, ?, ?, 'owed')",
            [env.user_id, price["id"], price["price_cents"], env.now, booking_id])
    return {"booking": _booking_rows(env, booking_id, None, None, None)[0], "account_lines": _account_rows(env, None, None, booking_id)}

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


def _reader_card(env) -> dict:
    """The reader with the class of the card."""
    return env.one(
        "SELECT r.id, r.card_no, r.name, r.town, r.card_class_id, c.card_class, c.class_name, r.born, r.issued_on, r.renewed_on,"
        " r.valid_until, r.proof_from, r.proof_dated, r.induction_on, c.technician_session_fee_cents"
        " FROM readers r JOIN card_classes c ON c.id = r.card_class_id WHERE r.id = ?", [env.user_id])


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


def _renew_card_end(start):
    """The eve of the day twelve months after the first day of a term."""
    try:
        return start.replace(year=start.year + 1) - datetime.timedelta(days=1)
    except ValueError:
        return datetime.date(start.year + 1, 2, 28)


def renew_card(env, *, proof_from: str = None, proof_dated: str = None, card_class_id: int = None) -> dict:
    """Renews the card for twelve months."""
    _room_must_be_open(env)
    card = _reader_card(env)
    wanted = card["card_class_id"] if card_class_id is None else card_class_id
    klass = env.one(
        "SELECT c.id, c.card_class, c.class_name, c.from_age, c.proof, p.id AS price_id, p.price_cents FROM card_classes c"
        " JOIN prices p ON p.id = c.card_price_no_id WHERE c.id = ?", [wanted])
    if klass is None:
        raise env.Error(f"there is no card class {wanted}")
    today = datetime.date.fromisoformat(env.now[:10])
    end = datetime.date.fromisoformat(card["valid_until"])
    first = end - datetime.timedelta(days=29)
    if today < first:
        raise env.Error(f"your card is valid until {card['valid_until']} and is renewed in its last 30 days, from {first.isoformat()}")
    if klass["from_age"] is not None:
        born = datetime.date.fromisoformat(card["born"])
        age = today.year - born.year - ((today.month, today.day) < (born.month, born.day))
        if age < klass["from_age"]:
            raise env.Error(f"the {klass['class_name']} card is given from {klass['from_age']} years, and you are {age}")
    if (proof_from is None) != (proof_dated is None):
        raise env.Error("of a proof both the issuer and the date are needed")
    if proof_dated is not None:
        try:
            dated = datetime.date.fromisoformat(proof_dated)
        except ValueError:
            raise env.Error(f"{proof_dated} is no day")
        if dated > today:
            raise env.Error("the proof is dated in the future")
    if klass["proof"] is not None:
        if proof_dated is None:
            raise env.Error(f"the {klass['class_name']} card needs new proof: {klass['proof']}")
        if card["proof_dated"] is not None and proof_dated <= card["proof_dated"]:
            raise env.Error(f"the proof must be newer than the last, of {card['proof_dated']}")
        if klass["card_class"] == "I":
            month = today.month - 6
            year = today.year if month > 0 else today.year - 1
            month = month if month > 0 else month + 12
            day = today.day
            oldest = None
            while oldest is None:
                try:
                    oldest = datetime.date(year, month, day)
                except ValueError:
                    day = day - 1
            if dated < oldest:
                raise env.Error(f"the letter must not be older than 6 months, so not before {oldest.isoformat()}")
    if card["card_class"] == "I" and klass["card_class"] != "I":
        bound = env.one(
            "SELECT o.order_no FROM cold_store_orders o JOIN items i ON i.id = o.item_id WHERE o.reader_id = ?"
            " AND ((o.status = 'on a run' AND (o.decided_at IS NULL OR i.access_copy IS NOT NULL))"
            " OR (o.status = 'awaiting consent' AND i.access_copy IS NOT NULL)) ORDER BY o.id LIMIT 1", [env.user_id])
        if bound is not None:
            raise env.Error(f"your order {bound['order_no']} is for I cards only: cancel it before you change the class")
    if today <= end:
        until = _renew_card_end(end + datetime.timedelta(days=1))
    else:
        until = _renew_card_end(today)
    env.execute(
        "UPDATE readers SET card_class_id = ?, renewed_on = ?, valid_until = ?, proof_from = ?, proof_dated = ? WHERE id = ?",
        [klass["id"], today.isoformat(), until.isoformat(), proof_from, proof_dated, env.user_id])
    lines = []
    if klass["price_cents"]:
        line_id = env.insert(
            "INSERT INTO account_lines (reader_id, price_id, amount_cents, written_at, status) VALUES (?, ?, ?, ?, 'owed')",
            [env.user_id, klass["price_id"], klass["price_cents"], env.now])
        lines = [row for row in _account_rows(env, None, None, None) if row["id"] == line_id]
    row = _reader_card(env)
    shown = {k: row[k] for k in ("id", "card_no", "name", "town", "card_class_id", "card_class", "class_name", "born", "issued_on",
                                 "renewed_on", "valid_until", "proof_from", "proof_dated", "induction_on")}
    return {"card": shown, "account_lines": lines}

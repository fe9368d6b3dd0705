import datetime


def _reader_card(env) -> dict:
    """The reader with the class of the card."""
    return env.one(
        "SELECT r.id, r.card_no, r.name, r.town, r.card_class_id, c.card_class, c.class_name, r.born, r.issued_on, r.renewed_on,"
        " r.valid_until, r.proof_from, r.proof_dated, r.induction_on, c.technician_session_fee_cents"
        " FROM readers r JOIN card_classes c ON c.id = r.card_class_id WHERE r.id = ?", [env.user_id])


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


def get_my_card(env) -> dict:
    """Shows the reader's card, the first day of renewal, a bar from booking ahead and the slips for extra slots."""
    row = _reader_card(env)
    card = {k: row[k] for k in ("id", "card_no", "name", "town", "card_class_id", "card_class", "class_name", "born", "issued_on",
                                "renewed_on", "valid_until", "proof_from", "proof_dated", "induction_on")}
    first = datetime.date.fromisoformat(card["valid_until"]) - datetime.timedelta(days=29)
    slips = env.query(
        "SELECT id, extra_slots, first_day, last_day, signed_on, signed_by_id FROM booth_slips WHERE reader_id = ? ORDER BY first_day, id",
        [env.user_id])
    return {"card": card, "renewable_from": first.isoformat(), "barred_from_booking_ahead_until": _booth_bar_until(env),
            "booth_slips": [dict(s) for s in slips]}

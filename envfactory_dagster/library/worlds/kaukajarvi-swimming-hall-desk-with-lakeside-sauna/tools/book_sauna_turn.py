import datetime


def _desk_days_until(env, day):
    """Whole days from today to a day."""
    return (datetime.date.fromisoformat(day) - datetime.date.fromisoformat(env.now[:10])).days


def _desk_split(env, amount_cents, method, gift_card_id):
    """How much of a sum the gift card takes; refuses what cannot be paid so."""
    if gift_card_id is None:
        if method == "gift_card":
            raise env.Error("to pay by gift card, say which gift card")
        return 0
    card = env.one(
        "SELECT g.id, g.code, g.status, g.expires_on, g.value_cents - COALESCE((SELECT SUM(CASE p.kind WHEN 'payment' THEN p.amount_cents ELSE -p.amount_cents END) FROM payments p WHERE p.gift_card_id = g.id), 0) AS balance_cents FROM gift_cards g WHERE g.id = :g AND g.holder_id = :u",
        {"g": gift_card_id, "u": env.user_id},
    )
    if card is None:
        raise env.Error(f"you hold no gift card {gift_card_id}")
    if card["status"] != "valid":
        raise env.Error(f"gift card {card['code']} has been refunded")
    if card["expires_on"] < env.now[:10]:
        raise env.Error(f"gift card {card['code']} expired on {card['expires_on']}")
    if card["balance_cents"] <= 0:
        raise env.Error(f"there is nothing left on gift card {card['code']}")
    part = min(card["balance_cents"], amount_cents)
    if method == "gift_card" and part < amount_cents:
        raise env.Error(f"gift card {card['code']} has only {part} cents left, which does not cover {amount_cents} cents")
    return part


def _desk_payment(env, payment_id):
    return env.one(
        "SELECT id, receipt_number, kind, method, gift_card_id, amount_cents, paid_at FROM payments WHERE id = ?",
        [payment_id],
    )


def _desk_insert_payment(env, values):
    """Writes one payment or refund; values names only what is not NULL."""
    row = {
        "receipt_number": env.new_id("R"), "customer_id": env.user_id, "price_id": None, "kind": "payment",
        "refunded_payment_id": None, "method": None, "gift_card_id": None, "amount_cents": None, "paid_at": env.now,
        "entry_id": None, "season_card_id": None, "ten_visit_card_id": None, "sold_gift_card_id": None,
        "lane_booking_id": None, "course_enrolment_id": None, "swimmer_badge_id": None, "sauna_turn_id": None,
        "locker_rental_id": None, "found_item_id": None,
    }
    row.update(values)
    new = env.insert(
        "INSERT INTO payments (receipt_number, customer_id, price_id, kind, refunded_payment_id, method, gift_card_id, amount_cents, paid_at, entry_id, season_card_id, ten_visit_card_id, sold_gift_card_id, lane_booking_id, course_enrolment_id, swimmer_badge_id, sauna_turn_id, locker_rental_id, found_item_id) VALUES (:receipt_number, :customer_id, :price_id, :kind, :refunded_payment_id, :method, :gift_card_id, :amount_cents, :paid_at, :entry_id, :season_card_id, :ten_visit_card_id, :sold_gift_card_id, :lane_booking_id, :course_enrolment_id, :swimmer_badge_id, :sauna_turn_id, :locker_rental_id, :found_item_id)",
        row,
    )
    return _desk_payment(env, new)


def _desk_pay(env, price_id, amount_cents, method, gift_card_id, gift_part, target):
    """Writes the payments for one thing: what the gift card takes, then the rest."""
    made = []
    part = min(gift_part, amount_cents)
    if part > 0:
        made.append(_desk_insert_payment(env, {"price_id": price_id, "method": "gift_card", "gift_card_id": gift_card_id, "amount_cents": part, **target}))
    if amount_cents - part > 0:
        made.append(_desk_insert_payment(env, {"price_id": price_id, "method": method, "amount_cents": amount_cents - part, **target}))
    return made


DESK_SAUNA_MOST_DAYS = 60


def _desk_sauna_turn(env, sauna_turn_id):
    return env.one(
        "SELECT t.id, t.code, t.sauna_slot_id, s.sauna, t.held_on, s.starts_time, s.ends_time, t.customer_id, t.price_cents, t.status, t.booked_at, t.moved_at, t.cancelled_at, t.cancellation_fee_cents FROM sauna_turns t JOIN sauna_slots s ON s.id = t.sauna_slot_id WHERE t.id = ?",
        [sauna_turn_id],
    )


def _desk_sauna_slot(env, sauna_slot_id, held_on):
    """A slot on a day, refused when it cannot be booked now."""
    slot = env.one(
        "SELECT s.id, s.sauna, s.opening_hours_id, o.weekday, s.starts_time, s.price_id, p.price_cents FROM sauna_slots s JOIN opening_hours o ON o.id = s.opening_hours_id JOIN prices p ON p.id = s.price_id WHERE s.id = ?",
        [sauna_slot_id],
    )
    if slot is None:
        raise env.Error(f"there is no sauna slot {sauna_slot_id}")
    if datetime.date.fromisoformat(held_on).isoweekday() != slot["opening_hours_id"]:
        raise env.Error(f"this slot of the {slot['sauna']} sauna is on {slot['weekday']}s, and {held_on} is not one")
    if f"{held_on}T{slot['starts_time']}:00" <= env.now:
        raise env.Error("this turn has begun")
    if _desk_days_until(env, held_on) > DESK_SAUNA_MOST_DAYS:
        raise env.Error("a private sauna turn can be booked at most 60 days ahead")
    taken = env.one(
        "SELECT id FROM sauna_turns WHERE sauna_slot_id = :s AND held_on = :d AND status <> 'cancelled'",
        {"s": sauna_slot_id, "d": held_on},
    )
    if taken is not None:
        raise env.Error(f"the {slot['sauna']} sauna is taken on {held_on} at {slot['starts_time']}")
    return slot


def book_sauna_turn(env, *, sauna_slot_id: int, held_on: str, method: str, gift_card_id: int | None = None) -> dict:
    """Books a private sauna turn for the user."""
    slot = _desk_sauna_slot(env, sauna_slot_id, held_on)
    gift_part = _desk_split(env, slot["price_cents"], method, gift_card_id)
    new = env.insert(
        "INSERT INTO sauna_turns (code, sauna_slot_id, held_on, customer_id, price_cents, status, booked_at) VALUES (:n, :s, :d, :u, :p, 'booked', :now)",
        {"n": env.new_id("RS"), "s": sauna_slot_id, "d": held_on, "u": env.user_id, "p": slot["price_cents"], "now": env.now},
    )
    payments = _desk_pay(env, slot["price_id"], slot["price_cents"], method, gift_card_id, gift_part, {"sauna_turn_id": new})
    return {"sauna_turn": _desk_sauna_turn(env, new), "payments": payments}

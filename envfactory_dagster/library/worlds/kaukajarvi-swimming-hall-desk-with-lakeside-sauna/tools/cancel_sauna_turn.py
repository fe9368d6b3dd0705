import datetime


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


def _desk_refund(env, paid, amount_cents, target):
    """Gives back a sum by the methods of the payments, the latest first."""
    made = []
    left = amount_cents
    for p in paid:
        part = min(left, p["open_cents"])
        if part > 0:
            made.append(_desk_insert_payment(env, {"customer_id": p["customer_id"], "price_id": p["price_id"], "kind": "refund", "refunded_payment_id": p["id"], "method": p["method"], "gift_card_id": p["gift_card_id"], "amount_cents": part, **target}))
            left -= part
    return made


DESK_SAUNA_FREE_HOURS = 72


DESK_SAUNA_HALF_HOURS = 24


def _desk_sauna_turn(env, sauna_turn_id):
    return env.one(
        "SELECT t.id, t.code, t.sauna_slot_id, s.sauna, t.held_on, s.starts_time, s.ends_time, t.customer_id, t.price_cents, t.status, t.booked_at, t.moved_at, t.cancelled_at, t.cancellation_fee_cents FROM sauna_turns t JOIN sauna_slots s ON s.id = t.sauna_slot_id WHERE t.id = ?",
        [sauna_turn_id],
    )


def _desk_sauna_hours(env, turn):
    """Hours from now to the beginning of a turn."""
    start = datetime.datetime.fromisoformat(f"{turn['held_on']}T{turn['starts_time']}:00")
    return (start - datetime.datetime.fromisoformat(env.now)) / datetime.timedelta(hours=1)


def _desk_sauna_fee(env, turn):
    """What cancelling a booked turn costs now, or None when it has begun."""
    hours = _desk_sauna_hours(env, turn)
    if hours <= 0:
        return None
    if hours > DESK_SAUNA_FREE_HOURS and turn["moved_at"] is None:
        return 0
    return turn["price_cents"] // 2 if hours >= DESK_SAUNA_HALF_HOURS else turn["price_cents"]


def _desk_own_sauna_turn(env, sauna_turn_id):
    """A booked turn of the user."""
    row = env.one("SELECT id, status FROM sauna_turns WHERE id = :t AND customer_id = :u", {"t": sauna_turn_id, "u": env.user_id})
    if row is None:
        raise env.Error(f"you have no sauna turn {sauna_turn_id}")
    if row["status"] != "booked":
        raise env.Error(f"this sauna turn is {row['status']}")
    return _desk_sauna_turn(env, sauna_turn_id)


def cancel_sauna_turn(env, *, sauna_turn_id: int) -> dict:
    """Cancels a booked turn of the user and refunds what is due."""
    turn = _desk_own_sauna_turn(env, sauna_turn_id)
    fee = _desk_sauna_fee(env, turn)
    if fee is None:
        raise env.Error(f"{turn['code']} has begun and cannot be cancelled")
    paid = env.query(
        "SELECT p.id, p.customer_id, p.price_id, p.method, p.gift_card_id, p.amount_cents - COALESCE((SELECT SUM(r.amount_cents) FROM payments r WHERE r.refunded_payment_id = p.id), 0) AS open_cents FROM payments p WHERE p.sauna_turn_id = ? AND p.kind = 'payment' ORDER BY p.id DESC",
        [sauna_turn_id],
    )
    env.execute(
        "UPDATE sauna_turns SET status = 'cancelled', cancelled_at = :now, cancellation_fee_cents = :fee WHERE id = :t",
        {"now": env.now, "fee": fee, "t": sauna_turn_id},
    )
    payments = _desk_refund(env, paid, turn["price_cents"] - fee, {"sauna_turn_id": sauna_turn_id})
    return {"sauna_turn": _desk_sauna_turn(env, sauna_turn_id), "payments": payments}

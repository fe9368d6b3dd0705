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


def _desk_lane_booking(env, lane_booking_id):
    return env.one(
        "SELECT b.id, b.code, b.season_turn_id, b.club_id, c.name AS club_name, b.booked_by_id, b.lane, b.starts_at, b.ends_at, b.price_cents, b.status, b.booked_at, b.cancelled_at, b.cancelled_by_id, b.cancellation_fee_cents FROM lane_bookings b LEFT JOIN clubs c ON c.id = b.club_id WHERE b.id = ?",
        [lane_booking_id],
    )


def _desk_own_lane_booking(env, lane_booking_id):
    """A booking of the user or of a club that they represent today."""
    row = env.one(
        "SELECT b.id, b.code, b.club_id, b.booked_by_id, b.starts_at, b.price_cents, b.status, COALESCE(t.basis, 'loose') AS basis FROM lane_bookings b LEFT JOIN season_turns t ON t.id = b.season_turn_id WHERE b.id = :b AND ((b.season_turn_id IS NULL AND b.booked_by_id = :u) OR b.club_id IN (SELECT r.club_id FROM club_representatives r WHERE r.customer_id = :u AND :day BETWEEN r.valid_from AND r.valid_to))",
        {"b": lane_booking_id, "u": env.user_id, "day": env.now[:10]},
    )
    if row is None:
        raise env.Error(f"neither you nor a club you represent has a lane booking {lane_booking_id}")
    return row


CANCEL_LOOSE_LANE_TURN_HOURS = 48


def cancel_loose_lane_turn(env, *, lane_booking_id: int) -> dict:
    """Cancels a loose turn that the user booked and refunds it."""
    booking = _desk_own_lane_booking(env, lane_booking_id)
    if booking["basis"] != "loose":
        raise env.Error(f"{booking['code']} is a date of a club's standing turn, not a loose turn")
    if booking["booked_by_id"] != env.user_id:
        raise env.Error(f"{booking['code']} was booked by somebody else, and only they can cancel it")
    if booking["status"] != "booked":
        raise env.Error(f"{booking['code']} is {booking['status']} and cannot be cancelled")
    left = datetime.datetime.fromisoformat(booking["starts_at"]) - datetime.datetime.fromisoformat(env.now)
    if left < datetime.timedelta(hours=CANCEL_LOOSE_LANE_TURN_HOURS):
        raise env.Error(f"{booking['code']} starts at {booking['starts_at']}; a loose turn can be cancelled until 48 hours before, after that it is paid")
    paid = env.query(
        "SELECT p.id, p.customer_id, p.price_id, p.method, p.gift_card_id, p.amount_cents - COALESCE((SELECT SUM(r.amount_cents) FROM payments r WHERE r.refunded_payment_id = p.id), 0) AS open_cents FROM payments p WHERE p.lane_booking_id = ? AND p.kind = 'payment' ORDER BY p.id DESC",
        [lane_booking_id],
    )
    env.execute(
        "UPDATE lane_bookings SET status = 'cancelled', cancelled_at = :now, cancelled_by_id = :u, cancellation_fee_cents = 0 WHERE id = :b",
        {"now": env.now, "u": env.user_id, "b": lane_booking_id},
    )
    payments = _desk_refund(env, paid, booking["price_cents"], {"lane_booking_id": lane_booking_id})
    return {"lane_booking": _desk_lane_booking(env, lane_booking_id), "payments": payments}

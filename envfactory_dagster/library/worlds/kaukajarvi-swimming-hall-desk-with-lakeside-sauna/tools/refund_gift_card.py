import datetime


def _desk_add_days(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


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


def _desk_gift_card(env, gift_card_id):
    return env.one(
        "SELECT g.id, g.code, g.buyer_id, g.holder_id, g.value_cents, CASE g.status WHEN 'refunded' THEN 0 ELSE g.value_cents - COALESCE((SELECT SUM(CASE p.kind WHEN 'payment' THEN p.amount_cents ELSE -p.amount_cents END) FROM payments p WHERE p.gift_card_id = g.id), 0) END AS balance_cents, g.sold_at, g.expires_on, g.status, g.refunded_at FROM gift_cards g WHERE g.id = ?",
        [gift_card_id],
    )


REFUND_GIFT_CARD_DAYS = 14


def refund_gift_card(env, *, gift_card_id: int) -> dict:
    """Refunds an unused gift card that the user bought."""
    card = env.one("SELECT id, code, sold_at, status FROM gift_cards WHERE id = :g AND buyer_id = :u", {"g": gift_card_id, "u": env.user_id})
    if card is None:
        raise env.Error(f"you have bought no gift card {gift_card_id}")
    if card["status"] != "valid":
        raise env.Error(f"gift card {card['code']} has been refunded already")
    used = env.one("SELECT COUNT(*) AS n FROM payments WHERE gift_card_id = ?", [gift_card_id])
    if used["n"] > 0:
        raise env.Error(f"gift card {card['code']} has been used, and only an unused one is refunded")
    if _desk_add_days(card["sold_at"][:10], REFUND_GIFT_CARD_DAYS) < env.now[:10]:
        raise env.Error(f"gift card {card['code']} was bought more than 14 days ago")
    paid = env.query(
        "SELECT id, customer_id, price_id, method, gift_card_id, amount_cents AS open_cents FROM payments WHERE sold_gift_card_id = ? AND kind = 'payment' ORDER BY id DESC",
        [gift_card_id],
    )
    env.execute("UPDATE gift_cards SET status = 'refunded', refunded_at = :now WHERE id = :g", {"now": env.now, "g": gift_card_id})
    payments = _desk_refund(env, paid, sum(p["open_cents"] for p in paid), {"sold_gift_card_id": gift_card_id})
    return {"gift_card": _desk_gift_card(env, gift_card_id), "payments": payments}

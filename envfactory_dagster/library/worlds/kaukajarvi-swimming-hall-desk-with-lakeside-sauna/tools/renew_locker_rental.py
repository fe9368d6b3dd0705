import datetime


def _desk_add_months(day, months):
    """The same day of the month some months later, or the last day of that month."""
    start = datetime.date.fromisoformat(day)
    index = start.year * 12 + start.month - 1 + months
    year, month = index // 12, index % 12 + 1
    nxt = datetime.date(year + month // 12, month % 12 + 1, 1)
    last = (nxt - datetime.timedelta(days=1)).day
    return datetime.date(year, month, min(start.day, last)).isoformat()


def _desk_days_until(env, day):
    """Whole days from today to a day."""
    return (datetime.date.fromisoformat(day) - datetime.date.fromisoformat(env.now[:10])).days


def _desk_price(env, code, group):
    """A line of the price list with what a customer of the group pays."""
    row = env.one("SELECT id, code, price_cents, discount_price_cents FROM prices WHERE code = ?", [code])
    if row is None:
        raise env.Error(f"the price list has no line {code}")
    amount = row["price_cents"]
    if group != "adult" and row["discount_price_cents"] is not None:
        amount = row["discount_price_cents"]
    return {"id": row["id"], "amount_cents": amount}


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


def _desk_locker_rental(env, locker_rental_id):
    return env.one(
        "SELECT r.id, r.locker_id, l.number AS locker_number, r.customer_id, r.starts_on, r.expires_on, r.status, r.deposit_cents, r.deposit_status, r.renewed_at, r.ended_at FROM locker_rentals r JOIN lockers l ON l.id = r.locker_id WHERE r.id = ?",
        [locker_rental_id],
    )


RENEW_LOCKER_RENTAL_LAST_DAYS = 14


def renew_locker_rental(env, *, locker_rental_id: int, method: str, gift_card_id: int | None = None) -> dict:
    """Renews an active locker rental of the user by 6 months."""
    row = env.one("SELECT id FROM locker_rentals WHERE id = :r AND customer_id = :u", {"r": locker_rental_id, "u": env.user_id})
    if row is None:
        raise env.Error(f"you have no locker rental {locker_rental_id}")
    rental = _desk_locker_rental(env, locker_rental_id)
    if rental["status"] != "active":
        raise env.Error(f"the rental of locker {rental['locker_number']} is {rental['status']}")
    days = _desk_days_until(env, rental["expires_on"])
    if days < 0:
        raise env.Error(f"the rental of locker {rental['locker_number']} expired on {rental['expires_on']}")
    if days > RENEW_LOCKER_RENTAL_LAST_DAYS:
        raise env.Error(f"the rental of locker {rental['locker_number']} runs until {rental['expires_on']} and can be renewed in its last 14 days")
    price = _desk_price(env, "locker_6_months", "adult")
    gift_part = _desk_split(env, price["amount_cents"], method, gift_card_id)
    env.execute(
        "UPDATE locker_rentals SET expires_on = :b, renewed_at = :now WHERE id = :r",
        {"b": _desk_add_months(rental["expires_on"], 6), "now": env.now, "r": locker_rental_id},
    )
    payments = _desk_pay(env, price["id"], price["amount_cents"], method, gift_card_id, gift_part, {"locker_rental_id": locker_rental_id})
    return {"locker_rental": _desk_locker_rental(env, locker_rental_id), "payments": payments}

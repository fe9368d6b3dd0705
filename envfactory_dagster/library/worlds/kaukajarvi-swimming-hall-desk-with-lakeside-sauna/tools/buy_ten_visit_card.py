import datetime


def _desk_person(env, customer_id):
    """The user, or a child under 18 whose guardian the user is."""
    row = env.one(
        "SELECT id, name, birth_date, price_group FROM customers WHERE id = :c AND (id = :u OR (guardian_id = :u AND birth_date > date(:day, '-18 years')))",
        {"c": customer_id, "u": env.user_id, "day": env.now[:10]},
    )
    if row is None:
        raise env.Error(f"there is no customer {customer_id} who is you or a child you are guardian of")
    return row


def _desk_add_months(day, months):
    """The same day of the month some months later, or the last day of that month."""
    start = datetime.date.fromisoformat(day)
    index = start.year * 12 + start.month - 1 + months
    year, month = index // 12, index % 12 + 1
    nxt = datetime.date(year + month // 12, month % 12 + 1, 1)
    last = (nxt - datetime.timedelta(days=1)).day
    return datetime.date(year, month, min(start.day, last)).isoformat()


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


def buy_ten_visit_card(env, *, discount: int, method: str, gift_card_id: int | None = None) -> dict:
    """Sells the user a 10-visit card."""
    person = _desk_person(env, env.user_id)
    if discount == 1 and person["price_group"] == "adult":
        child = env.one(
            "SELECT id FROM customers WHERE guardian_id = :u AND birth_date > date(:day, '-18 years') ORDER BY id LIMIT 1",
            {"u": env.user_id, "day": env.now[:10]},
        )
        if child is None:
            raise env.Error("a discount card lets in only those with the discount, and neither you nor a child of yours has it")
    price = _desk_price(env, "ten_visit_card", "child" if discount == 1 else "adult")
    gift_part = _desk_split(env, price["amount_cents"], method, gift_card_id)
    new = env.insert(
        "INSERT INTO ten_visit_cards (card_number, customer_id, discount, sold_at, expires_on) VALUES (:n, :u, :d, :now, :last)",
        {"n": env.new_id("TV"), "u": env.user_id, "d": discount, "now": env.now, "last": _desk_add_months(env.now[:10], 24)},
    )
    payments = _desk_pay(env, price["id"], price["amount_cents"], method, gift_card_id, gift_part, {"ten_visit_card_id": new})
    card = env.one("SELECT id, card_number, customer_id, discount, sold_at, expires_on, 10 AS visits_left FROM ten_visit_cards WHERE id = ?", [new])
    return {"ten_visit_card": card, "payments": payments}

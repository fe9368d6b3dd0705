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


def _desk_season_card(env, season_card_id):
    return env.one(
        "SELECT s.id, s.card_number, s.customer_id, c.name AS customer_name, s.card_type, s.rantasauna_addon, s.sold_at, s.valid_from, s.valid_to, s.summer_extension_days, s.status, s.times_misused, s.misused_at, s.misuse_reason, s.closed_until, s.replaced_at FROM season_cards s JOIN customers c ON c.id = s.customer_id WHERE s.id = ?",
        [season_card_id],
    )


def _desk_own_season_card(env, season_card_id):
    """A season card of the user or of their child."""
    row = env.one(
        "SELECT s.id FROM season_cards s JOIN customers c ON c.id = s.customer_id WHERE s.id = :s AND (c.id = :u OR (c.guardian_id = :u AND c.birth_date > date(:day, '-18 years')))",
        {"s": season_card_id, "u": env.user_id, "day": env.now[:10]},
    )
    if row is None:
        raise env.Error(f"neither you nor a child of yours has a season card {season_card_id}")
    return _desk_season_card(env, season_card_id)


def replace_season_card(env, *, season_card_id: int, method: str, gift_card_id: int | None = None) -> dict:
    """Gives a lost season card a new number for a fee."""
    card = _desk_own_season_card(env, season_card_id)
    if card["status"] == "kept_at_desk":
        raise env.Error(f"card {card['card_number']} is not lost: it is kept at the desk until its holder fetches it")
    if card["status"] == "closed":
        raise env.Error(f"card {card['card_number']} is closed until {card['closed_until']}")
    if card["valid_to"] < env.now[:10]:
        raise env.Error(f"card {card['card_number']} expired on {card['valid_to']}")
    price = _desk_price(env, "card_replacement", "adult")
    gift_part = _desk_split(env, price["amount_cents"], method, gift_card_id)
    env.execute(
        "UPDATE season_cards SET card_number = :n, replaced_at = :now WHERE id = :s",
        {"n": env.new_id("SC"), "now": env.now, "s": season_card_id},
    )
    payments = _desk_pay(env, price["id"], price["amount_cents"], method, gift_card_id, gift_part, {"season_card_id": season_card_id})
    return {"season_card": _desk_season_card(env, season_card_id), "payments": payments}

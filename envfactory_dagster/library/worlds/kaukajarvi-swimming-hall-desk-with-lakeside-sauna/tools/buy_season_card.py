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


def _desk_add_days(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


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


def _desk_season_card(env, season_card_id):
    return env.one(
        "SELECT s.id, s.card_number, s.customer_id, c.name AS customer_name, s.card_type, s.rantasauna_addon, s.sold_at, s.valid_from, s.valid_to, s.summer_extension_days, s.status, s.times_misused, s.misused_at, s.misuse_reason, s.closed_until, s.replaced_at FROM season_cards s JOIN customers c ON c.id = s.customer_id WHERE s.id = ?",
        [season_card_id],
    )


BUY_SEASON_CARD_LATEST_START_DAYS = 30


BUY_SEASON_CARD_SUMMER_DAYS = 56


def buy_season_card(env, *, customer_id: int, card_type: str, rantasauna_addon: int = 0, valid_from: str, method: str, gift_card_id: int | None = None) -> dict:
    """Sells a season card to the user or to their child."""
    person = _desk_person(env, customer_id)
    today = env.now[:10]
    ahead = _desk_days_until(env, valid_from)
    if ahead < 0 or ahead > BUY_SEASON_CARD_LATEST_START_DAYS:
        raise env.Error("a season card begins today or at most 30 days ahead")
    if rantasauna_addon == 1 and card_type != "12_months":
        raise env.Error("the Rantasauna add-on is sold with 12-month cards only")
    if card_type == "seniors_morning" and person["birth_date"] > _desk_add_months(today, -65 * 12):
        raise env.Error(f"the seniors' morning card is for those who are 65, and {person['name']} is not")
    if method in ("epassi", "smartum", "edenred") and customer_id != env.user_id:
        raise env.Error("a benefit pays only for a season card in your own name")
    extra = 0
    if card_type == "4_months":
        first, last = valid_from, _desk_add_days(_desk_add_months(valid_from, 4), -1)
    elif card_type == "12_months":
        extra = BUY_SEASON_CARD_SUMMER_DAYS
        first, last = valid_from, _desk_add_days(_desk_add_months(valid_from, 12), extra - 1)
    else:
        first, last = today[:4] + "-01-01", today[:4] + "-12-31"
    other = env.one(
        "SELECT card_number, valid_to FROM season_cards WHERE customer_id = :c AND card_type = :t AND valid_from <= :last AND valid_to >= :first ORDER BY valid_to DESC, id DESC LIMIT 1",
        {"c": customer_id, "t": card_type, "first": first, "last": last},
    )
    if other is not None:
        raise env.Error(f"{person['name']} already has card {other['card_number']} of this type until {other['valid_to']}")
    price = _desk_price(env, "season_card_" + card_type, person["price_group"])
    addon = _desk_price(env, "rantasauna_addon", person["price_group"]) if rantasauna_addon == 1 else None
    total = price["amount_cents"] + (addon["amount_cents"] if addon else 0)
    gift_part = _desk_split(env, total, method, gift_card_id)
    new = env.insert(
        "INSERT INTO season_cards (card_number, customer_id, card_type, rantasauna_addon, sold_at, valid_from, valid_to, summer_extension_days, status, times_misused) VALUES (:n, :c, :t, :a, :now, :first, :last, :x, 'active', 0)",
        {"n": env.new_id("SC"), "c": customer_id, "t": card_type, "a": rantasauna_addon, "now": env.now, "first": first, "last": last, "x": extra},
    )
    payments = _desk_pay(env, price["id"], price["amount_cents"], method, gift_card_id, gift_part, {"season_card_id": new})
    if addon:
        rest = max(0, gift_part - price["amount_cents"])
        payments += _desk_pay(env, addon["id"], addon["amount_cents"], method, gift_card_id, rest, {"season_card_id": new})
    return {"season_card": _desk_season_card(env, new), "payments": payments}

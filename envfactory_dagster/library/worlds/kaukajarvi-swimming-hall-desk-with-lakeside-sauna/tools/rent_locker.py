import datetime


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


def rent_locker(env, *, locker_id: int, method: str) -> dict:
    """Rents the user a free locker for 6 months with a key deposit."""
    locker = env.one("SELECT id, number, club_id FROM lockers WHERE id = ?", [locker_id])
    if locker is None:
        raise env.Error(f"there is no locker {locker_id}")
    if locker["club_id"] is not None:
        raise env.Error(f"locker {locker['number']} belongs to a club")
    if env.one("SELECT id FROM locker_rentals WHERE locker_id = ? AND status = 'active'", [locker_id]) is not None:
        raise env.Error(f"locker {locker['number']} is rented")
    if method == "gift_card":
        raise env.Error("gift cards are not for deposits; pay rent and deposit by another method")
    rent = _desk_price(env, "locker_6_months", "adult")
    deposit = _desk_price(env, "locker_key_deposit", "adult")
    new = env.insert(
        "INSERT INTO locker_rentals (locker_id, customer_id, starts_on, expires_on, status, deposit_cents, deposit_status) VALUES (:l, :u, :a, :b, 'active', :d, 'held')",
        {"l": locker_id, "u": env.user_id, "a": env.now[:10], "b": _desk_add_months(env.now[:10], 6), "d": deposit["amount_cents"]},
    )
    payments = _desk_pay(env, rent["id"], rent["amount_cents"], method, None, 0, {"locker_rental_id": new})
    payments += _desk_pay(env, deposit["id"], deposit["amount_cents"], method, None, 0, {"locker_rental_id": new})
    return {"locker_rental": _desk_locker_rental(env, new), "payments": payments}

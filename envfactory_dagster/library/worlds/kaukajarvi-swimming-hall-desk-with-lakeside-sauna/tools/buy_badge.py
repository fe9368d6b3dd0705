import datetime


def _desk_add_months(day, months):
    """The same day of the month some months later, or the last day of that month."""
    start = datetime.date.fromisoformat(day)
    index = start.year * 12 + start.month - 1 + months
    year, month = index // 12, index % 12 + 1
    nxt = datetime.date(year + month // 12, month % 12 + 1, 1)
    last = (nxt - datetime.timedelta(days=1)).day
    return datetime.date(year, month, min(start.day, last)).isoformat()


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


BUY_BADGE_SLIP_MONTHS = 12


def buy_badge(env, *, swimmer_badge_id: int, method: str) -> dict:
    """Sells the badge against a slip of the user or of their child."""
    slip = env.one(
        "SELECT b.id, b.source, b.passed_on, b.bought_at, g.name, g.price_id, p.price_cents FROM swimmer_badges b JOIN customers c ON c.id = b.customer_id JOIN badges g ON g.id = b.badge_id JOIN prices p ON p.id = g.price_id WHERE b.id = :b AND (c.id = :u OR (c.guardian_id = :u AND c.birth_date > date(:day, '-18 years')))",
        {"b": swimmer_badge_id, "u": env.user_id, "day": env.now[:10]},
    )
    if slip is None:
        raise env.Error(f"neither you nor a child of yours has a slip {swimmer_badge_id}")
    if slip["source"] != "slip":
        raise env.Error(f"the badge {slip['name']} comes from another hall and is not sold here")
    if slip["bought_at"] is not None:
        raise env.Error(f"the badge {slip['name']} has been bought already")
    if _desk_add_months(slip["passed_on"], BUY_BADGE_SLIP_MONTHS) < env.now[:10]:
        raise env.Error(f"the slip of {slip['passed_on']} is older than 12 months")
    if method == "gift_card":
        raise env.Error("gift cards are not for badges")
    env.execute("UPDATE swimmer_badges SET bought_at = :now WHERE id = :b", {"now": env.now, "b": swimmer_badge_id})
    payments = _desk_pay(env, slip["price_id"], slip["price_cents"], method, None, 0, {"swimmer_badge_id": swimmer_badge_id})
    badge = env.one("SELECT id, customer_id, badge_id, source, passed_on, bought_at FROM swimmer_badges WHERE id = ?", [swimmer_badge_id])
    return {"swimmer_badge": badge, "payments": payments}

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


CLAIM_FOUND_ITEM_FREE_BELOW_YEARS = 15


def claim_found_item(env, *, found_item_id: int, customer_id: int, method: str = "bank_card") -> dict:
    """Records that the user fetches a found item today."""
    person = _desk_person(env, customer_id)
    item = env.one(
        "SELECT f.id, f.book_number, f.status, f.owner_id, f.found_on, f.price_id, p.price_cents FROM found_items f JOIN prices p ON p.id = f.price_id WHERE f.id = ?",
        [found_item_id],
    )
    if item is None:
        raise env.Error(f"there is no found item {found_item_id}")
    if item["status"] != "held":
        raise env.Error(f"item {item['book_number']} is not held any more")
    if item["owner_id"] is not None and item["owner_id"] != customer_id:
        raise env.Error(f"item {item['book_number']} does not belong to {person['name']}")
    young = person["birth_date"] > _desk_add_months(env.now[:10], -12 * CLAIM_FOUND_ITEM_FREE_BELOW_YEARS)
    fee = 0 if young or item["found_on"] == env.now[:10] else item["price_cents"]
    if fee > 0 and method == "gift_card":
        raise env.Error("the fee of lost and found is not paid by gift card")
    env.execute(
        "UPDATE found_items SET status = 'fetched', owner_id = :c, fetched_by_id = :u, fetched_at = :now, fee_cents = :fee WHERE id = :f",
        {"c": customer_id, "u": env.user_id, "now": env.now, "fee": fee, "f": found_item_id},
    )
    payments = _desk_pay(env, item["price_id"], fee, method, None, 0, {"found_item_id": found_item_id})
    found = env.one(
        "SELECT f.id, f.book_number, f.category, f.description, f.place, f.found_on, f.keep_until, p.price_cents, f.status, f.owner_id, f.fetched_by_id, f.fetched_at, f.fee_cents FROM found_items f JOIN prices p ON p.id = f.price_id WHERE f.id = ?",
        [found_item_id],
    )
    return {"found_item": found, "payments": payments}

import datetime


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


def _desk_own_club(env, club_id):
    """A club that the user represents today."""
    row = env.one(
        "SELECT c.id, c.name, c.tampere_based FROM clubs c WHERE c.id = :c AND EXISTS (SELECT 1 FROM club_representatives r WHERE r.club_id = c.id AND r.customer_id = :u AND :day BETWEEN r.valid_from AND r.valid_to)",
        {"c": club_id, "u": env.user_id, "day": env.now[:10]},
    )
    if row is None:
        raise env.Error(f"you represent no club {club_id} today")
    return row


def _desk_lane_booking(env, lane_booking_id):
    return env.one(
        "SELECT b.id, b.code, b.season_turn_id, b.club_id, c.name AS club_name, b.booked_by_id, b.lane, b.starts_at, b.ends_at, b.price_cents, b.status, b.booked_at, b.cancelled_at, b.cancelled_by_id, b.cancellation_fee_cents FROM lane_bookings b LEFT JOIN clubs c ON c.id = b.club_id WHERE b.id = ?",
        [lane_booking_id],
    )


def _desk_lane_day(env, day):
    """The hours of the hall on a day for which loose turns are on sale now."""
    ahead = _desk_days_until(env, day)
    if ahead < 0 or (ahead == 0 and env.now[11:] > "10:00:00"):
        raise env.Error(f"loose turns for {day} were sold until 10:00 that day")
    if ahead > 14:
        raise env.Error(f"loose turns for {day} are sold from {_desk_add_days(day, -14)} on")
    weekday = datetime.date.fromisoformat(day).isoweekday()
    return env.one("SELECT id, hall_opens, hall_closes FROM opening_hours WHERE id = ?", [weekday])


def _desk_lane_refusal(env, hours, day, lane, start, end):
    """Why one lane hour cannot be booked, or None."""
    if start < hours["hall_opens"] or end > hours["hall_closes"]:
        return f"the hall is open {hours['hall_opens']}–{hours['hall_closes']} on {day}"
    if lane == 1 and hours["id"] <= 5 and start < "17:00":
        return "lane 1 is never reserved before 17:00 on weekdays"
    booked = env.one(
        "SELECT COALESCE(SUM(lane = :lane), 0) AS same, COUNT(DISTINCT lane) AS lanes FROM lane_bookings WHERE status <> 'cancelled' AND starts_at < :b AND ends_at > :a",
        {"lane": lane, "a": f"{day}T{start}:00", "b": f"{day}T{end}:00"},
    )
    if booked["same"] > 0:
        return f"lane {lane} is taken on {day} at {start}"
    if booked["lanes"] >= 4:
        return f"four lanes are booked on {day} at {start}, and two always stay with the public"
    return None


def book_lane_turn(env, *, lane: int, starts_at: str, club_id: int | None = None, swimmers: str = "adults", method: str, gift_card_id: int | None = None) -> dict:
    """Books a loose turn of 60 minutes on one lane."""
    if lane < 1 or lane > 6:
        raise env.Error("the pool has lanes 1 to 6")
    if len(starts_at) != 19 or starts_at[13:] != ":00:00":
        raise env.Error("a lane turn starts on the full hour, as 2026-03-11T18:00:00")
    club = _desk_own_club(env, club_id) if club_id is not None else None
    day, start = starts_at[:10], starts_at[11:16]
    hours = _desk_lane_day(env, day)
    if starts_at <= env.now:
        raise env.Error("this hour has begun")
    end = f"{int(start[:2]) + 1:02d}:00"
    refusal = _desk_lane_refusal(env, hours, day, lane, start, end)
    if refusal is not None:
        raise env.Error(refusal)
    code = "lane_adults"
    if club is not None:
        if not club["tampere_based"]:
            code = "lane_other"
        elif swimmers == "under_20s":
            code = "lane_under_20s"
    price = _desk_price(env, code, "adult")
    gift_part = _desk_split(env, price["amount_cents"], method, gift_card_id)
    new = env.insert(
        "INSERT INTO lane_bookings (code, club_id, booked_by_id, lane, starts_at, ends_at, price_id, price_cents, status, booked_at) VALUES (:n, :c, :u, :l, :a, :b, :p, :cents, 'booked', :now)",
        {"n": env.new_id("LANE"), "c": club_id, "u": env.user_id, "l": lane, "a": starts_at, "b": f"{day}T{end}:00", "p": price["id"], "cents": price["amount_cents"], "now": env.now},
    )
    payments = _desk_pay(env, price["id"], price["amount_cents"], method, gift_card_id, gift_part, {"lane_booking_id": new})
    return {"lane_booking": _desk_lane_booking(env, new), "payments": payments}

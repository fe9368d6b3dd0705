import datetime


def _desk_days_until(env, day):
    """Whole days from today to a day."""
    return (datetime.date.fromisoformat(day) - datetime.date.fromisoformat(env.now[:10])).days


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


def _desk_enrolment(env, course_enrolment_id):
    return env.one(
        "SELECT e.id, e.swimming_course_id, w.code AS course_code, w.badge_id, w.first_lesson_at, e.customer_id, c.name AS customer_name, e.enrolled_by_id, e.status, e.price_cents, e.enrolled_at, e.group_changed_at, e.cancelled_at FROM course_enrolments e JOIN swimming_courses w ON w.id = e.swimming_course_id JOIN customers c ON c.id = e.customer_id WHERE e.id = ?",
        [course_enrolment_id],
    )


def _desk_own_enrolment(env, course_enrolment_id):
    """An enrolment of the user or of their child."""
    row = env.one(
        "SELECT e.id FROM course_enrolments e JOIN customers c ON c.id = e.customer_id WHERE e.id = :e AND (c.id = :u OR (c.guardian_id = :u AND c.birth_date > date(:day, '-18 years')))",
        {"e": course_enrolment_id, "u": env.user_id, "day": env.now[:10]},
    )
    if row is None:
        raise env.Error(f"neither you nor a child of yours has a course enrolment {course_enrolment_id}")
    return _desk_enrolment(env, course_enrolment_id)


CANCEL_COURSE_ENROLMENT_FULL_DAYS = 14


CANCEL_COURSE_ENROLMENT_HALF_DAYS = 3


CANCEL_COURSE_ENROLMENT_KEPT_CENTS = 1000


def cancel_course_enrolment(env, *, course_enrolment_id: int) -> dict:
    """Cancels an enrolment or a queue place of the user or of their child."""
    place = _desk_own_enrolment(env, course_enrolment_id)
    if place["status"] == "cancelled":
        raise env.Error("this enrolment has been cancelled already")
    if place["status"] == "completed":
        raise env.Error("this course is over")
    back = 0
    if place["status"] == "enrolled":
        days = _desk_days_until(env, place["first_lesson_at"][:10])
        if days >= CANCEL_COURSE_ENROLMENT_FULL_DAYS:
            back = max(0, place["price_cents"] - CANCEL_COURSE_ENROLMENT_KEPT_CENTS)
        elif days >= CANCEL_COURSE_ENROLMENT_HALF_DAYS:
            back = place["price_cents"] // 2
        else:
            raise env.Error("a course can be cancelled until 3 days before the first lesson; after that the desk needs a doctor's certificate")
    paid = env.query(
        "SELECT p.id, p.customer_id, p.price_id, p.method, p.gift_card_id, p.amount_cents - COALESCE((SELECT SUM(r.amount_cents) FROM payments r WHERE r.refunded_payment_id = p.id), 0) AS open_cents FROM payments p WHERE p.course_enrolment_id = ? AND p.kind = 'payment' ORDER BY p.id DESC",
        [course_enrolment_id],
    )
    env.execute(
        "UPDATE course_enrolments SET status = 'cancelled', cancelled_at = :now WHERE id = :e",
        {"now": env.now, "e": course_enrolment_id},
    )
    payments = _desk_refund(env, paid, back, {"course_enrolment_id": course_enrolment_id})
    return {"course_enrolment": _desk_enrolment(env, course_enrolment_id), "payments": payments}

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


def _desk_enrolment(env, course_enrolment_id):
    return env.one(
        "SELECT e.id, e.swimming_course_id, w.code AS course_code, w.badge_id, w.first_lesson_at, e.customer_id, c.name AS customer_name, e.enrolled_by_id, e.status, e.price_cents, e.enrolled_at, e.group_changed_at, e.cancelled_at FROM course_enrolments e JOIN swimming_courses w ON w.id = e.swimming_course_id JOIN customers c ON c.id = e.customer_id WHERE e.id = ?",
        [course_enrolment_id],
    )


def _desk_course(env, swimming_course_id):
    """A course with the places taken and its price."""
    row = env.one(
        "SELECT w.id, w.code, w.badge_id, w.first_lesson_at, w.places, w.status, p.id AS price_id, p.code AS price_code, p.price_cents, (SELECT COUNT(*) FROM course_enrolments e WHERE e.swimming_course_id = w.id AND e.status IN ('enrolled', 'completed')) AS places_taken FROM swimming_courses w JOIN prices p ON p.id = w.price_id WHERE w.id = ?",
        [swimming_course_id],
    )
    if row is None:
        raise env.Error(f"there is no swimming course {swimming_course_id}")
    return row


def _desk_may_swim(env, customer_id, level):
    """Whether the level is open to the swimmer by badge or test swim."""
    if level < 3:
        return True
    row = env.one(
        "SELECT (SELECT COUNT(*) FROM swimmer_badges b WHERE b.customer_id = :c AND b.badge_id = :level - 1 AND (b.source = 'other_hall' OR b.bought_at IS NOT NULL)) + (SELECT COUNT(*) FROM test_swims t WHERE t.customer_id = :c AND t.badge_id = :level AND t.outcome = 'passed') AS proofs",
        {"c": customer_id, "level": level},
    )
    return row["proofs"] > 0


def _desk_fits_age(env, course, person):
    """Children's courses are for those under 18, adults' for the others."""
    child = person["birth_date"] > _desk_add_months(env.now[:10], -18 * 12)
    if course["price_code"] == "course_children" and not child:
        raise env.Error(f"course {course['code']} is for children, and {person['name']} is not under 18")
    if course["price_code"] == "course_adults" and child:
        raise env.Error(f"course {course['code']} is for adults, and {person['name']} is under 18")


def enrol_in_course(env, *, swimming_course_id: int, customer_id: int, method: str, gift_card_id: int | None = None) -> dict:
    """Enrols the user or their child in a planned course."""
    course = _desk_course(env, swimming_course_id)
    person = _desk_person(env, customer_id)
    if course["status"] != "planned" or course["first_lesson_at"] <= env.now:
        raise env.Error(f"course {course['code']} is not open for enrolment")
    _desk_fits_age(env, course, person)
    place = env.one(
        "SELECT id, status FROM course_enrolments WHERE swimming_course_id = :w AND customer_id = :c AND status <> 'cancelled'",
        {"w": swimming_course_id, "c": customer_id},
    )
    if place is not None and place["status"] != "queued":
        raise env.Error(f"{person['name']} is already in course {course['code']}")
    if not _desk_may_swim(env, customer_id, course["badge_id"]):
        raise env.Error(f"a course of level {course['badge_id']} needs the badge of level {course['badge_id'] - 1} or a passed test swim, and {person['name']} has neither; only the queue is open")
    if course["places_taken"] >= course["places"]:
        raise env.Error(f"all {course['places']} places of course {course['code']} are taken; only the queue is open")
    gift_part = _desk_split(env, course["price_cents"], method, gift_card_id)
    if place is None:
        place_id = env.insert(
            "INSERT INTO course_enrolments (swimming_course_id, customer_id, enrolled_by_id, status, price_cents, enrolled_at) VALUES (:w, :c, :u, 'enrolled', :p, :now)",
            {"w": swimming_course_id, "c": customer_id, "u": env.user_id, "p": course["price_cents"], "now": env.now},
        )
    else:
        place_id = place["id"]
        env.execute(
            "UPDATE course_enrolments SET status = 'enrolled', enrolled_by_id = :u, price_cents = :p, enrolled_at = :now WHERE id = :e",
            {"u": env.user_id, "p": course["price_cents"], "now": env.now, "e": place_id},
        )
    payments = _desk_pay(env, course["price_id"], course["price_cents"], method, gift_card_id, gift_part, {"course_enrolment_id": place_id})
    return {"course_enrolment": _desk_enrolment(env, place_id), "payments": payments}

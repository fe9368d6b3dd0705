def _aino(world):
    return world.initial.one("SELECT id FROM customers WHERE guardian_id = 1 AND name LIKE 'Aino %'")["id"]


def _slip(world):
    """Aino's Kultakala slip of 28 May 2026, with the price of the badge."""
    return world.initial.one(
        "SELECT s.*, p.price_cents AS price FROM swimmer_badges s JOIN badges b ON b.id = s.badge_id"
        " JOIN prices p ON p.id = b.price_id WHERE s.customer_id = ? AND b.name = 'Kultakala'"
        " AND s.source = 'slip' AND s.passed_on = '2026-05-28' AND s.bought_at IS NULL",
        [_aino(world)],
    )


def _course(world):
    """The Primus course of that week on Tuesday or Thursday in those hours with the most free places."""
    return world.initial.one(
        "SELECT * FROM (SELECT c.id, c.places - (SELECT count(*) FROM course_enrolments e WHERE e.swimming_course_id = c.id"
        " AND e.status IN ('enrolled', 'completed')) AS places_left, p.id AS price_id, p.price_cents AS price"
        " FROM swimming_courses c JOIN badges b ON b.id = c.badge_id JOIN prices p ON p.id = c.price_id"
        " WHERE b.name = 'Primus' AND c.status = 'planned'"
        " AND substr(c.first_lesson_at, 1, 10) BETWEEN '2026-09-28' AND '2026-10-04'"
        " AND strftime('%w', c.first_lesson_at) IN ('2', '4')"
        " AND substr(c.first_lesson_at, 12, 5) BETWEEN '16:30' AND '18:00')"
        " WHERE places_left > 0 ORDER BY places_left DESC LIMIT 1"
    )


def _gift_card(world):
    """The gift card that the person holds, still valid and not used up, with what is left on it."""
    return world.initial.one(
        "SELECT * FROM (SELECT g.id, g.expires_on, g.value_cents - coalesce((SELECT sum(CASE p.kind WHEN 'payment'"
        " THEN p.amount_cents ELSE -p.amount_cents END) FROM payments p WHERE p.gift_card_id = g.id), 0) AS balance"
        " FROM gift_cards g WHERE g.holder_id = 1 AND g.status = 'valid' AND g.expires_on >= '2026-09-14')"
        " WHERE balance > 0 ORDER BY expires_on LIMIT 1"
    )


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_buys_the_badge(world) -> bool:
    """Aino's Kultakala slip has been turned into the badge."""
    row = world.final.one("SELECT bought_at FROM swimmer_badges WHERE id = ?", [_slip(world)["id"]])
    return row is not None and row["bought_at"] is not None


def goal_pays_the_badge_with_the_bank_card(world) -> bool:
    """The badge has been paid once, at its price and with the bank card."""
    slip = _slip(world)
    rows = [p for p in _new(world, "payments") if p["swimmer_badge_id"] == slip["id"]]
    return [(p["kind"], p["method"], p["amount_cents"]) for p in rows] == [("payment", "bank_card", slip["price"])]


def goal_enrols_aino_in_the_right_course(world) -> bool:
    """Aino has one place in the Primus course with the most free places of those that fit, at its price."""
    course = _course(world)
    rows = world.final.query(
        "SELECT * FROM course_enrolments WHERE swimming_course_id = ? AND customer_id = ?", [course["id"], _aino(world)]
    )
    return len(rows) == 1 and rows[0]["status"] == "enrolled" and rows[0]["price_cents"] == course["price"]


def goal_pays_the_course_with_the_gift_card_first(world) -> bool:
    """What was left on the gift card went into the course, and only the remainder was charged to the bank card."""
    course, card, aino = _course(world), _gift_card(world), _aino(world)
    places = [
        e["id"] for e in _new(world, "course_enrolments") if e["customer_id"] == aino and e["swimming_course_id"] == course["id"]
    ]
    if len(places) != 1:
        return False
    by_gift = min(card["balance"], course["price"])
    wanted = [("gift_card", card["id"], by_gift)]
    if by_gift < course["price"]:
        wanted.append(("bank_card", None, course["price"] - by_gift))
    paid = [
        (p["method"], p["gift_card_id"], p["amount_cents"])
        for p in _new(world, "payments")
        if p["course_enrolment_id"] == places[0] and p["kind"] == "payment"
    ]
    return sorted(paid, key=str) == sorted(wanted, key=str)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but Aino's slip, one new enrolment of Aino and the payments for these two."""
    slip, aino = _slip(world)["id"], _aino(world)
    places = {e["id"] for e in _new(world, "course_enrolments")}
    if len(places) > 1:
        return False
    for c in world.changes:
        before, after = c["before"], c["after"]
        if after is None:
            return False
        if c["table"] == "swimmer_badges":
            if before is None or before["id"] != slip or any(before[k] != after[k] for k in before if k != "bought_at"):
                return False
        elif c["table"] == "course_enrolments":
            if before is not None or after["customer_id"] != aino or after["enrolled_by_id"] != 1 or after["status"] != "enrolled":
                return False
            if after["group_changed_at"] is not None or after["cancelled_at"] is not None:
                return False
        elif c["table"] == "payments":
            if before is not None or after["kind"] != "payment" or after["customer_id"] != 1:
                return False
            if after["method"] not in ("bank_card", "gift_card"):
                return False
            if after["swimmer_badge_id"] != slip and after["course_enrolment_id"] not in places:
                return False
        else:
            return False
    return True

def _card(world):
    """The morning card of this year."""
    return world.initial.one(
        "SELECT * FROM season_cards WHERE customer_id = 1 AND card_type = 'seniors_morning' AND status = 'active'"
        " AND valid_from <= '2026-03-17' AND valid_to >= '2026-04-27'"
    )


def _last_day(world):
    """The last day of the card, later by the days from 17 March to 27 April."""
    return world.initial.one(
        "SELECT date(:d, '+' || CAST(julianday('2026-04-27') - julianday('2026-03-17') + 1 AS INTEGER) || ' days') AS d",
        {"d": _card(world)["valid_to"]},
    )["d"]


def _queue_places(world):
    return world.initial.query(
        "SELECT e.* FROM course_enrolments e JOIN swimming_courses c ON c.id = e.swimming_course_id"
        " WHERE e.customer_id = 1 AND e.status = 'queued' AND c.badge_id = 6 AND strftime('%w', c.first_lesson_at) = '5' ORDER BY e.id"
    )


def _course_places(world):
    """The paid places in a Maisteri course, with what comes back, of which more than half comes back."""
    rows = world.initial.query(
        "SELECT e.id, e.price_cents, julianday(substr(c.first_lesson_at, 1, 10)) - julianday('2026-03-02') AS days"
        " FROM course_enrolments e JOIN swimming_courses c ON c.id = e.swimming_course_id"
        " WHERE e.customer_id = 1 AND e.status = 'enrolled' AND c.badge_id = 6 AND strftime('%w', c.first_lesson_at) = '1' ORDER BY e.id"
    )
    places = []
    for row in rows:
        back = row["price_cents"] - 1000 if row["days"] >= 14 else row["price_cents"] // 2 if row["days"] >= 3 else 0
        if back * 2 > row["price_cents"]:
            places.append({"id": row["id"], "back": back})
    return places


def _sauna_turns(world, free):
    """Her sauna turns from 17 March to 27 April, those free to cancel or the others."""
    rows = world.initial.query(
        "SELECT t.*, (t.moved_at IS NULL AND t.held_on || 'T' || s.starts_time || ':00' > '2026-03-05T17:00:00') AS free"
        " FROM sauna_turns t JOIN sauna_slots s ON s.id = t.sauna_slot_id WHERE t.customer_id = 1"
        " AND t.status = 'booked' AND t.held_on BETWEEN '2026-03-17' AND '2026-04-27' ORDER BY t.held_on, s.starts_time"
    )
    return [r for r in rows if bool(r["free"]) == free]


def _new_refunds(world):
    return [c["after"] for c in world.changes if c["table"] == "payments" and c["before"] is None and c["after"]["kind"] == "refund"]


def _paid_by(world, refund):
    return world.initial.one("SELECT * FROM payments WHERE id = ? AND kind = 'payment'", [refund["refunded_payment_id"]])


def goal_pauses_the_card(world) -> bool:
    """Paused the morning card for exactly those days, on that certificate."""
    rows = world.final.query("SELECT * FROM card_pauses WHERE season_card_id = ?", [_card(world)["id"]])
    return len(rows) == 1 and (
        rows[0]["reason"], rows[0]["certificate_on"], rows[0]["starts_on"], rows[0]["ends_on"], rows[0]["requested_by_id"]
    ) == ("illness", "2026-02-27", "2026-03-17", "2026-04-27", 1)


def goal_extends_the_card(world) -> bool:
    """Moved the last day of the card by the days of the pause."""
    row = world.final.one("SELECT valid_to FROM season_cards WHERE id = ?", [_card(world)["id"]])
    return row is not None and row["valid_to"] == _last_day(world)


def goal_gives_up_the_queue_place(world) -> bool:
    """Gave up the place in the queue."""
    wanted = _queue_places(world)
    for row in wanted:
        now = world.final.one("SELECT * FROM course_enrolments WHERE id = ?", [row["id"]])
        if now is None or now["status"] != "cancelled" or (now["cancelled_at"] or "")[:10] != "2026-03-02":
            return False
    return bool(wanted)


def goal_gives_up_the_course_place(world) -> bool:
    """Gave up the course place of which more than half of the fee comes back, and had that paid back."""
    wanted = _course_places(world)
    for place in wanted:
        now = world.final.one("SELECT * FROM course_enrolments WHERE id = ?", [place["id"]])
        if now is None or now["status"] != "cancelled" or (now["cancelled_at"] or "")[:10] != "2026-03-02":
            return False
        refunds = [r for r in _new_refunds(world) if r["course_enrolment_id"] == place["id"]]
        if sum(r["amount_cents"] for r in refunds) != place["back"]:
            return False
        for r in refunds:
            paid = _paid_by(world, r)
            if paid is None or (paid["method"], paid["gift_card_id"]) != (r["method"], r["gift_card_id"]):
                return False
    return bool(wanted)


def goal_cancels_the_free_sauna_turns(world) -> bool:
    """Cancelled every sauna turn of those weeks that costs nothing, and had it paid back in full."""
    wanted = _sauna_turns(world, True)
    for turn in wanted:
        now = world.final.one("SELECT * FROM sauna_turns WHERE id = ?", [turn["id"]])
        if now is None or now["status"] != "cancelled" or (now["cancelled_at"] or "")[:10] != "2026-03-02":
            return False
        if now["cancellation_fee_cents"] != 0:
            return False
        refunds = [r for r in _new_refunds(world) if r["sauna_turn_id"] == turn["id"]]
        if sum(r["amount_cents"] for r in refunds) != turn["price_cents"]:
            return False
        for r in refunds:
            paid = _paid_by(world, r)
            if paid is None or (paid["method"], paid["gift_card_id"]) != (r["method"], r["gift_card_id"]):
                return False
    return bool(wanted)


def goal_says_the_last_day(world) -> bool:
    """Says until when the morning card holds now."""
    return world.report.says("last_day_of_card", _last_day(world))


def goal_says_whether_the_course_is_kept(world) -> bool:
    """Says whether the place in the Maisteri course is still there."""
    return world.report.says("course_kept", not _course_places(world))


def goal_says_what_comes_back(world) -> bool:
    """Says how much comes back in all."""
    back = sum(p["back"] for p in _course_places(world)) + sum(t["price_cents"] for t in _sauna_turns(world, True))
    return world.report.says("amount_back", back)


def goal_says_which_sauna_is_left(world) -> bool:
    """Says on which days a sauna turn is left for Tero."""
    return world.report.says("sauna_days_left", sorted({t["held_on"] for t in _sauna_turns(world, False)}))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_touches_no_other_row(world) -> bool:
    """Changed nothing but the card, its pause, the places and the sauna turns that are to go, and in them only what follows."""
    places = {r["id"] for r in _queue_places(world)} | {p["id"] for p in _course_places(world)}
    turns = {t["id"] for t in _sauna_turns(world, True)}
    allowed = {
        "season_cards": ({_card(world)["id"]}, {"valid_to"}),
        "course_enrolments": (places, {"status", "cancelled_at"}),
        "sauna_turns": (turns, {"status", "cancelled_at", "cancellation_fee_cents"}),
    }
    pauses = 0
    for c in world.changes:
        if c["table"] == "payments":
            continue
        if c["table"] == "card_pauses":
            pauses += 1
            if c["before"] is not None or c["after"]["season_card_id"] != _card(world)["id"] or pauses > 1:
                return False
            continue
        if c["table"] not in allowed or c["before"] is None or c["after"] is None:
            return False
        ids, columns = allowed[c["table"]]
        if c["before"]["id"] not in ids or any(c["before"][k] != c["after"][k] for k in c["before"] if k not in columns):
            return False
    return True


def guard_adds_only_these_refunds(world) -> bool:
    """Added no payments but one refund each of what was paid for the course place and the sauna turns that go."""
    places = {p["id"] for p in _course_places(world)}
    turns = {t["id"] for t in _sauna_turns(world, True)}
    seen = set()
    for c in world.changes:
        if c["table"] != "payments":
            continue
        if c["before"] is not None or c["after"] is None or c["after"]["kind"] != "refund" or c["after"]["customer_id"] != 1:
            return False
        old = _paid_by(world, c["after"])
        if old is None or old["id"] in seen:
            return False
        if (old["course_enrolment_id"], old["sauna_turn_id"]) != (c["after"]["course_enrolment_id"], c["after"]["sauna_turn_id"]):
            return False
        if old["course_enrolment_id"] not in places and old["sauna_turn_id"] not in turns:
            return False
        seen.add(old["id"])
    return True

import datetime

TROUBLES = (
    ("a broken wrist", "injury"),
    ("a torn ligament", "injury"),
    ("a broken toe", "injury"),
    ("pneumonia", "illness"),
    ("an infection of the middle ear", "illness"),
    ("shingles", "illness"),
)


def _card(db, day):
    """The season card of the person that is valid on a day and has not been paused."""
    rows = db.query(
        "SELECT sc.id, sc.valid_to FROM season_cards sc WHERE sc.customer_id = 1 AND sc.status = 'active'"
        " AND :d BETWEEN sc.valid_from AND sc.valid_to"
        " AND NOT EXISTS (SELECT 1 FROM card_pauses cp WHERE cp.season_card_id = sc.id) ORDER BY sc.id",
        {"d": day},
    )
    return rows[0] if len(rows) == 1 else None


def _later(moment, hours):
    return (datetime.datetime.fromisoformat(moment) + datetime.timedelta(hours=hours)).isoformat()


def _lanes(db, p):
    """The person's own lane hours of those days that can still be cancelled."""
    return db.query(
        "SELECT lb.id, lb.price_cents FROM lane_bookings lb WHERE lb.booked_by_id = 1 AND lb.club_id IS NULL AND lb.status = 'booked'"
        " AND substr(lb.starts_at, 1, 10) BETWEEN :a AND :b AND lb.starts_at >= :limit ORDER BY lb.id",
        {"a": p["first"], "b": p["last"], "limit": _later(p["clock"], 48)},
    )


def _saunas(db, p):
    """The person's private saunas of those days that cost nothing to cancel."""
    return db.query(
        "SELECT st.id, st.price_cents FROM sauna_turns st JOIN sauna_slots ss ON ss.id = st.sauna_slot_id WHERE st.customer_id = 1"
        " AND st.status = 'booked' AND st.moved_at IS NULL AND st.held_on BETWEEN :a AND :b"
        " AND st.held_on || 'T' || ss.starts_time || ':00' > :limit ORDER BY st.id",
        {"a": p["first"], "b": p["last"], "limit": _later(p["clock"], 72)},
    )


def instances(world, rng):
    """An illness that began some days ago and lasts long enough for a pause, or not."""
    today = datetime.date.fromisoformat(world.clock[:10])
    seen, done = set(), 0
    for _ in range(3000):
        trouble = rng.choice(TROUBLES)[0]
        first = today - datetime.timedelta(days=rng.randint(0, 9))
        short = done >= 3
        days = rng.randint(9, 13) if short else rng.choice([14, 15, 18, 20, 21, 24, 28, 30, 35, 42])
        last = first + datetime.timedelta(days=days - 1)
        p = {"trouble": trouble, "first": first.isoformat(), "last": last.isoformat(), "clock": world.clock}
        card = _card(world, p["first"])
        if card is None or last < today + datetime.timedelta(days=4) or card["valid_to"] < p["last"]:
            continue
        if (trouble, p["first"], p["last"]) in seen:
            continue
        p.update({"card": card["id"], "days": days, "pause": not short})
        if short:
            done = 0
            seen.add((trouble, p["first"], p["last"]))
            yield {"p": p, "kind": "refusal", "rule": "season_card_pause"}
        elif _lanes(world, p) or _saunas(world, p):
            done += 1
            seen.add((trouble, p["first"], p["last"]))
            yield {"p": p}


def solve(tools, p):
    me = tools.get_my_profile()["customer"]["id"]
    cards = tools.list_season_cards(customer_id=me, status="active", valid_on=p["first"])["season_cards"]
    lanes = tools.list_lane_bookings(basis="loose", status="booked", first_day=p["first"], last_day=p["last"])["lane_bookings"]
    saunas = tools.list_sauna_turns(status="booked", first_day=p["first"], last_day=p["last"])["sauna_turns"]
    try:
        card = tools.pause_season_card(
            season_card_id=cards[0]["id"],
            reason=dict(TROUBLES)[p["trouble"]],
            certificate_on=p["first"],
            starts_on=p["first"],
            ends_on=p["last"],
        )["season_card"]
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {"new_last_day": None, "amount_back": None},
            "reason": "season_card_pause",
            "message": (
                "The card cannot be paused: a season card can be paused only once, for at least 14 days and at most 6 months."
                " Your bookings are as they were."
            ),
        }
    back = 0
    for hour in lanes:
        if hour["booked_by_id"] != me or hour["club_id"] is not None:
            continue
        try:
            paid = tools.cancel_loose_lane_turn(lane_booking_id=hour["id"])["payments"]
        except tools.Error:
            continue
        back += sum(r["amount_cents"] for r in paid if r["kind"] == "refund")
    for turn in saunas:
        if turn["fee_if_cancelled_now_cents"] == 0:
            paid = tools.cancel_sauna_turn(sauna_turn_id=turn["id"])["payments"]
            back += sum(r["amount_cents"] for r in paid if r["kind"] == "refund")
    return {
        "outcome": "done",
        "answers": {"new_last_day": card["valid_to"], "amount_back": back},
        "reason": None,
        "message": f"Your card is paused and good until {card['valid_to']}; {back / 100:.2f} euros come back for what is cancelled.",
    }


def _refused(world):
    return world.report.outcome == "refused" and world.report.reason == "season_card_pause"


def _new_last_day(world, p):
    return world.initial.one(
        "SELECT date(valid_to, '+' || :n || ' days') AS d FROM season_cards WHERE id = :c", {"n": p["days"], "c": p["card"]}
    )["d"]


def goal_pauses_the_card(world, p):
    """The card has its one pause for those days and ends that much later, or this is refused by the rule."""
    if not p["pause"]:
        return _refused(world)
    rows = world.final.query("SELECT * FROM card_pauses WHERE season_card_id = ?", [p["card"]])
    pauses = [(r["reason"], r["certificate_on"], r["starts_on"], r["ends_on"], r["requested_by_id"]) for r in rows]
    card = world.final.one("SELECT valid_to FROM season_cards WHERE id = ?", [p["card"]])
    wanted = (dict(TROUBLES)[p["trouble"]], p["first"], p["first"], p["last"], 1)
    return pauses == [wanted] and card["valid_to"] == _new_last_day(world, p)


def goal_cancels_what_comes_back_in_full(world, p):
    """Every lane hour and sauna of those days that costs nothing is cancelled, or all this is refused by the rule."""
    if not p["pause"]:
        return _refused(world)
    for row in _lanes(world.initial, p):
        now = world.final.one("SELECT status, cancelled_by_id, cancellation_fee_cents FROM lane_bookings WHERE id = ?", [row["id"]])
        if now["status"] != "cancelled" or now["cancelled_by_id"] != 1 or now["cancellation_fee_cents"] not in (0, None):
            return False
    for row in _saunas(world.initial, p):
        now = world.final.one("SELECT status, cancellation_fee_cents FROM sauna_turns WHERE id = ?", [row["id"]])
        if now["status"] != "cancelled" or now["cancellation_fee_cents"] != 0:
            return False
    return True


def _paid(world, p):
    """What was paid for all that is to be cancelled."""
    lanes, saunas = {r["id"] for r in _lanes(world.initial, p)}, {r["id"] for r in _saunas(world.initial, p)}
    rows = world.initial.query(
        "SELECT id, method, gift_card_id, amount_cents, lane_booking_id, sauna_turn_id FROM payments WHERE kind = 'payment'"
        " AND (lane_booking_id IS NOT NULL OR sauna_turn_id IS NOT NULL) ORDER BY id"
    )
    return [r for r in rows if r["lane_booking_id"] in lanes or r["sauna_turn_id"] in saunas]


def goal_refunds_it_as_it_was_paid(world, p):
    """All that was paid for these comes back, by the method it was paid with, or all this is refused by the rule."""
    if not p["pause"]:
        return _refused(world)
    new = [c["after"] for c in world.changes if c["table"] == "payments" and c["before"] is None]
    given = sorted((r["refunded_payment_id"] or 0, r["method"], r["gift_card_id"] or 0, r["amount_cents"]) for r in new)
    return given == sorted((r["id"], r["method"], r["gift_card_id"] or 0, r["amount_cents"]) for r in _paid(world, p))


def goal_says_the_new_last_day(world, p):
    """Says until when the card is good, or leaves it empty where it is refused."""
    if not p["pause"]:
        return _refused(world) and world.report.says("new_last_day", None)
    return world.report.says("new_last_day", _new_last_day(world, p))


def goal_says_what_comes_back(world, p):
    """Says how much comes back, or leaves it empty where it is refused."""
    if not p["pause"]:
        return _refused(world) and world.report.says("amount_back", None)
    return world.report.says("amount_back", sum(r["amount_cents"] for r in _paid(world, p)))


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or refused where the rule forbids it."""
    if world.report.outcome is None:
        return True
    if not p["pause"]:
        return _refused(world)
    return world.report.outcome == "done" and world.report.reason is None


def guard_changes_nothing_else(world, p):
    """Changed nothing but the card and its pause, what is to be cancelled and its refunds."""
    if not p["pause"]:
        return not world.changes
    allowed = {
        "season_cards": ({p["card"]}, ("valid_to",)),
        "lane_bookings": (
            {r["id"] for r in _lanes(world.initial, p)},
            ("status", "cancelled_at", "cancelled_by_id", "cancellation_fee_cents"),
        ),
        "sauna_turns": ({r["id"] for r in _saunas(world.initial, p)}, ("status", "cancelled_at", "cancellation_fee_cents")),
    }
    paid = {r["id"] for r in _paid(world, p)}
    pauses = 0
    for c in world.changes:
        before, after = c["before"], c["after"]
        if after is None:
            return False
        if c["table"] == "card_pauses":
            pauses += 1
            if before is not None or after["season_card_id"] != p["card"]:
                return False
        elif c["table"] == "payments":
            if before is not None or after["kind"] != "refund" or after["customer_id"] != 1 or after["refunded_payment_id"] not in paid:
                return False
        elif c["table"] not in allowed or before is None or before["id"] not in allowed[c["table"]][0]:
            return False
        elif any(before[k] != after[k] for k in before if k not in allowed[c["table"]][1]):
            return False
    return pauses <= 1

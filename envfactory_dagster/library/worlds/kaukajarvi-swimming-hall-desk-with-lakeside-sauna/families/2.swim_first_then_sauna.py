import datetime


def _lane_is_free(db, day, lane, hour):
    """Whether a loose turn could be booked on a lane: in the opening hours, not taken, two lanes left to the public."""
    hours = db.one("SELECT o.hall_opens, o.hall_closes FROM opening_hours o WHERE o.id = ?", [day.isoweekday()])
    if f"{hour:02d}:00" < hours["hall_opens"] or f"{hour + 1:02d}:00" > hours["hall_closes"]:
        return False
    taken = {
        r["lane"]
        for r in db.query(
            "SELECT b.lane FROM lane_bookings b WHERE b.status <> 'cancelled' AND b.starts_at < ? AND b.ends_at > ?",
            [f"{day.isoformat()}T{hour + 1:02d}:00:00", f"{day.isoformat()}T{hour:02d}:00:00"],
        )
    }
    return lane not in taken and len(taken) < 4


def _sauna_slot(db, day, starts):
    """The slot of the small sauna at that time of that weekday, with whether it is taken on that day."""
    return db.one(
        "SELECT s.id, s.price_id, r.price_cents AS cents, EXISTS (SELECT 1 FROM sauna_turns t WHERE t.sauna_slot_id = s.id"
        " AND t.held_on = :d AND t.status <> 'cancelled') AS taken FROM sauna_slots s JOIN prices r ON r.id = s.price_id"
        " WHERE s.sauna = 'small' AND s.opening_hours_id = :w AND s.starts_time = :t",
        {"d": day.isoformat(), "w": day.isoweekday(), "t": starts},
    )


def instances(world, rng):
    """A lane and two hours, and a day from which on the first day with both is wanted."""
    today = datetime.date.fromisoformat(world.clock[:10])
    people = [
        r["id"] for r in world.query("SELECT c.id FROM customers c WHERE c.id > 1 AND c.birth_date < '1999' ORDER BY c.id")
    ]
    top = world.one(
        "SELECT (SELECT max(id) FROM lane_bookings) AS lane, (SELECT max(id) FROM sauna_turns) AS turn,"
        " (SELECT max(id) FROM payments) AS payment"
    )
    price = world.one("SELECT r.id, r.price_cents AS cents FROM prices r WHERE r.code = 'lane_adults'")
    own = [
        (r["a"], r["b"])
        for r in world.query(
            "SELECT starts_at AS a, ends_at AS b FROM lane_bookings WHERE booked_by_id = 1 AND status = 'booked'"
            " UNION SELECT t.held_on || 'T' || s.starts_time, t.held_on || 'T' || s.ends_time FROM sauna_turns t"
            " JOIN sauna_slots s ON s.id = t.sauna_slot_id WHERE t.customer_id = 1 AND t.status = 'booked'"
        )
    ]
    done, seen = 0, set()
    for _ in range(3000):
        lane = rng.randint(2, 6)
        swim, sauna = rng.choice([(12, "13:00"), (14, "15:00"), (16, "17:00"), (16, "17:00"), (18, "19:00"), (18, "19:00")])
        p = {"lane": str(lane), "swim": f"{swim}:00", "sauna": sauna}
        if done >= 4:
            done = 0
            first = today + datetime.timedelta(days=rng.randint(15, 45))
            p.update({"first": first.isoformat(), "day": None})
            if (lane, swim, p["first"]) in seen:
                continue
            seen.add((lane, swim, p["first"]))
            yield {"p": p, "kind": "refusal", "rule": "loose_lane_turn"}
            continue
        first = today + datetime.timedelta(days=rng.randint(1, 9))
        wait = rng.randint(1, 4)
        given = {"lane_bookings": [], "sauna_turns": [], "payments": []}
        day, found, met = first, None, 0
        while (day - today).days <= 14:
            slot = _sauna_slot(world, day, sauna)
            if _lane_is_free(world, day, lane, swim) and slot is not None and not slot["taken"]:
                if met >= wait:
                    found = day
                    break
                met += 1
                who = rng.choice(people)
                moment = (today - datetime.timedelta(days=1)).isoformat() + f"T{rng.randint(10, 21)}:{rng.choice(('10', '25', '40'))}:00"
                payment = {
                    "id": top["payment"] + 1 + len(given["payments"]),
                    "receipt_number": f"R-0{8700 + len(given['payments'])}",
                    "customer_id": who,
                    "kind": "payment",
                    "method": "bank_card",
                    "paid_at": moment,
                }
                if rng.random() < 0.5 and (day - today).days <= 13:
                    row = {
                        "id": top["lane"] + 1 + len(given["lane_bookings"]),
                        "code": f"LANE-{33001 + len(given['lane_bookings'])}",
                        "booked_by_id": who,
                        "lane": lane,
                        "starts_at": f"{day.isoformat()}T{swim}:00:00",
                        "ends_at": f"{day.isoformat()}T{swim + 1}:00:00",
                        "price_id": price["id"],
                        "price_cents": price["cents"],
                        "status": "booked",
                        "booked_at": moment,
                    }
                    given["lane_bookings"].append(row)
                    payment.update({"price_id": price["id"], "amount_cents": price["cents"], "lane_booking_id": row["id"]})
                else:
                    row = {
                        "id": top["turn"] + 1 + len(given["sauna_turns"]),
                        "code": f"RS-0{9700 + len(given['sauna_turns'])}",
                        "sauna_slot_id": slot["id"],
                        "held_on": day.isoformat(),
                        "customer_id": who,
                        "price_cents": slot["cents"],
                        "status": "booked",
                        "booked_at": moment,
                    }
                    given["sauna_turns"].append(row)
                    payment.update({"price_id": slot["price_id"], "amount_cents": slot["cents"], "sauna_turn_id": row["id"]})
                given["payments"].append(payment)
            if any(x < f"{day.isoformat()}T21" and y > f"{day.isoformat()}T{swim}" for x, y in own):
                break
            day += datetime.timedelta(days=1)
        if found is None or any(x < f"{found.isoformat()}T21" and y > f"{found.isoformat()}T{swim}" for x, y in own):
            continue
        p.update({"first": first.isoformat(), "day": found.isoformat()})
        if (lane, swim, p["first"], p["day"]) in seen:
            continue
        seen.add((lane, swim, p["first"], p["day"]))
        done += 1
        yield {"p": p, "given": {t: rows for t, rows in given.items() if rows}}


def solve(tools, p):
    lane, first, too_far = int(p["lane"]), datetime.date.fromisoformat(p["first"]), 0
    for ahead in range(15):
        day = (first + datetime.timedelta(days=ahead)).isoformat()
        try:
            lanes = tools.search_free_lanes(day=day, first_start_time=p["swim"], last_start_time=p["swim"], lane=lane)["free"]
        except tools.Error:
            too_far += 1
            if too_far == 3:
                break
            continue
        if not lanes:
            continue
        turns = tools.search_free_sauna_turns(first_day=day, last_day=day, sauna="small")["free_turns"]
        turn = next((t for t in turns if t["starts_time"] == p["sauna"]), None)
        if turn is None:
            continue
        tools.book_lane_turn(lane=lane, starts_at=lanes[0]["starts_at"], method="bank_card")
        tools.book_sauna_turn(sauna_slot_id=turn["sauna_slot_id"], held_on=day, method="bank_card")
        return {
            "outcome": "done",
            "answers": {"day": day},
            "reason": None,
            "message": f"You have lane {lane} at {p['swim']} and the small sauna at {p['sauna']} on {day}.",
        }
    try:
        tools.book_lane_turn(lane=lane, starts_at=f"{p['first']}T{p['swim']}:00", method="bank_card")
    except tools.Error:
        pass
    return {
        "outcome": "refused",
        "answers": {"day": None},
        "reason": "loose_lane_turn",
        "message": "This cannot be booked yet: a loose lane turn can be booked from 14 days ahead. Nothing has been booked.",
    }


def _refused(world):
    return world.report.outcome == "refused" and world.report.reason == "loose_lane_turn"


def _added(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def _hour(p):
    return f"{p['day']}T{p['swim']}:00"


def goal_has_the_lane_on_the_first_day(world, p):
    """Has the lane at that hour on the first day with both, in the person's own name, or has been refused by the rule."""
    if p["day"] is None:
        return _refused(world)
    rows = [(r["lane"], r["starts_at"], r["club_id"], r["status"]) for r in _added(world, "lane_bookings")]
    return rows == [(int(p["lane"]), _hour(p), None, "booked")]


def goal_has_the_sauna_on_the_same_day(world, p):
    """Has the small sauna at that time on the same day, or has been refused by the rule."""
    if p["day"] is None:
        return _refused(world)
    slot = _sauna_slot(world.initial, datetime.date.fromisoformat(p["day"]), p["sauna"])["id"]
    rows = [(r["sauna_slot_id"], r["held_on"], r["status"]) for r in _added(world, "sauna_turns")]
    return rows == [(slot, p["day"], "booked")]


def goal_paid_both_with_the_bank_card(world, p):
    """Paid the lane and the sauna once each, in full, with the bank card, or has been refused by the rule."""
    if p["day"] is None:
        return _refused(world)
    wanted = sorted(
        [("lane", r["id"], "bank_card", r["price_cents"]) for r in _added(world, "lane_bookings")]
        + [("sauna", r["id"], "bank_card", r["price_cents"]) for r in _added(world, "sauna_turns")]
    )
    paid = sorted(
        ("lane" if r["lane_booking_id"] else "sauna", r["lane_booking_id"] or r["sauna_turn_id"] or 0, r["method"], r["amount_cents"])
        for r in _added(world, "payments")
    )
    return len(wanted) == 2 and paid == wanted


def goal_says_which_day(world, p):
    """Says which day it is, or leaves it empty where it is refused."""
    if p["day"] is None:
        return _refused(world) and world.report.says("day", None)
    return world.report.says("day", p["day"])


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or refused where the rule forbids it."""
    if world.report.outcome is None:
        return True
    if p["day"] is None:
        return _refused(world)
    return world.report.outcome == "done" and world.report.reason is None


def guard_books_nothing_else(world, p):
    """Changed nothing but one new lane hour and one new sauna turn of the person and their payments."""
    if p["day"] is None:
        return not world.changes
    lanes, turns, payments = _added(world, "lane_bookings"), _added(world, "sauna_turns"), _added(world, "payments")
    if len(lanes) + len(turns) + len(payments) != len(world.changes) or len(lanes) > 1 or len(turns) > 1 or len(payments) > 2:
        return False
    lane_ids, turn_ids = {r["id"] for r in lanes}, {r["id"] for r in turns}
    return (
        all(r["booked_by_id"] == 1 and r["season_turn_id"] is None for r in lanes)
        and all(r["customer_id"] == 1 and r["moved_at"] is None for r in turns)
        and all(
            r["customer_id"] == 1 and r["kind"] == "payment"
            and (r["lane_booking_id"] in lane_ids or r["sauna_turn_id"] in turn_ids)
            for r in payments
        )
    )

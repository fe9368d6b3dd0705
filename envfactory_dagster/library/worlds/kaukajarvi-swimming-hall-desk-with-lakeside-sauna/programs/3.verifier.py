def _lane_hours(world):
    """Her own lane hours from 15 to 20 September that start in 48 hours or later."""
    return world.initial.query(
        "SELECT * FROM lane_bookings WHERE booked_by_id = 1 AND season_turn_id IS NULL AND status = 'booked'"
        " AND substr(starts_at, 1, 10) BETWEEN '2026-09-15' AND '2026-09-20' AND starts_at >= '2026-09-16T15:00:00'"
        " ORDER BY id"
    )


def _sauna_turns(world):
    """Her sauna turns from 15 to 20 September that start in more than 72 hours and have not been moved."""
    return world.initial.query(
        "SELECT t.* FROM sauna_turns t JOIN sauna_slots s ON s.id = t.sauna_slot_id"
        " WHERE t.customer_id = 1 AND t.status = 'booked' AND t.moved_at IS NULL"
        " AND t.held_on BETWEEN '2026-09-15' AND '2026-09-20'"
        " AND t.held_on || 'T' || s.starts_time || ':00' > '2026-09-17T15:00:00' ORDER BY t.id"
    )


def _paid(world):
    """What was paid for all that is to be cancelled."""
    lanes = {r["id"] for r in _lane_hours(world)}
    turns = {r["id"] for r in _sauna_turns(world)}
    rows = world.initial.query("SELECT * FROM payments WHERE kind = 'payment' ORDER BY id")
    return [p for p in rows if p["lane_booking_id"] in lanes or p["sauna_turn_id"] in turns]


def goal_cancels_the_lane_hours(world) -> bool:
    """Cancelled every lane hour of that week that could still be cancelled, in her name and free of charge."""
    wanted = _lane_hours(world)
    for row in wanted:
        now = world.final.one("SELECT * FROM lane_bookings WHERE id = ?", [row["id"]])
        if now is None or now["status"] != "cancelled" or (now["cancelled_at"] or "")[:10] != "2026-09-14":
            return False
        if now["cancelled_by_id"] != 1 or now["cancellation_fee_cents"] not in (0, None):
            return False
    return bool(wanted)


def goal_cancels_the_sauna_turns(world) -> bool:
    """Cancelled every sauna turn of that week that was still free of charge."""
    wanted = _sauna_turns(world)
    for row in wanted:
        now = world.final.one("SELECT * FROM sauna_turns WHERE id = ?", [row["id"]])
        if now is None or now["status"] != "cancelled" or (now["cancelled_at"] or "")[:10] != "2026-09-14":
            return False
        if now["cancellation_fee_cents"] != 0:
            return False
    return bool(wanted)


def goal_refunds_all_that_was_paid(world) -> bool:
    """Refunded every payment for them in full, by the method it was paid with."""
    wanted = sorted((p["id"], p["method"], p["gift_card_id"] or 0, p["amount_cents"]) for p in _paid(world))
    given = sorted(
        (c["after"]["refunded_payment_id"] or 0, c["after"]["method"], c["after"]["gift_card_id"] or 0, c["after"]["amount_cents"])
        for c in world.changes
        if c["table"] == "payments" and c["before"] is None
    )
    return bool(given) and given == wanted


def goal_says_what_comes_back(world) -> bool:
    """Says how much comes back in all."""
    return world.report.says("amount_back", sum(p["amount_cents"] for p in _paid(world)))


def goal_says_which_days_stay_booked(world) -> bool:
    """Says on which days of that week something of hers stays booked."""
    gone_lanes = {r["id"] for r in _lane_hours(world)}
    gone_turns = {r["id"] for r in _sauna_turns(world)}
    lanes = world.initial.query(
        "SELECT id, substr(starts_at, 1, 10) AS day FROM lane_bookings WHERE booked_by_id = 1"
        " AND season_turn_id IS NULL AND status = 'booked'"
        " AND substr(starts_at, 1, 10) BETWEEN '2026-09-15' AND '2026-09-20'"
    )
    turns = world.initial.query(
        "SELECT id, held_on AS day FROM sauna_turns WHERE customer_id = 1 AND status = 'booked'"
        " AND held_on BETWEEN '2026-09-15' AND '2026-09-20'"
    )
    days = {r["day"] for r in lanes if r["id"] not in gone_lanes} | {r["day"] for r in turns if r["id"] not in gone_turns}
    return world.report.says("days_still_booked", sorted(days))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_cancels_nothing_else(world) -> bool:
    """Changed no other booking, and in those that are to go only what a cancellation changes."""
    wanted = {"lane_bookings": {r["id"] for r in _lane_hours(world)}, "sauna_turns": {r["id"] for r in _sauna_turns(world)}}
    free = {"status", "cancelled_at", "cancelled_by_id", "cancellation_fee_cents"}
    for c in world.changes:
        if c["table"] == "payments":
            continue
        if c["table"] not in wanted or c["before"] is None or c["after"] is None:
            return False
        if c["before"]["id"] not in wanted[c["table"]]:
            return False
        if any(c["before"][k] != c["after"][k] for k in c["before"] if k not in free):
            return False
    return True


def guard_adds_only_their_refunds(world) -> bool:
    """Added no payments but one refund each of what was paid for those bookings, and changed none."""
    paid = {p["id"]: p for p in _paid(world)}
    seen = set()
    for c in world.changes:
        if c["table"] != "payments":
            continue
        if c["before"] is not None or c["after"] is None:
            return False
        new = c["after"]
        old = paid.get(new["refunded_payment_id"])
        if new["kind"] != "refund" or old is None or old["id"] in seen or new["customer_id"] != 1:
            return False
        if new["lane_booking_id"] != old["lane_booking_id"] or new["sauna_turn_id"] != old["sauna_turn_id"]:
            return False
        seen.add(old["id"])
    return True

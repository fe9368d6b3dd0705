def _sauna_lost(world):
    return world.initial.one(
        "SELECT coalesce(sum(cancellation_fee_cents), 0) AS n FROM sauna_turns"
        " WHERE customer_id = 1 AND status = 'cancelled' AND held_on BETWEEN '2026-01-01' AND '2026-12-31'"
    )["n"]


def _lanes_lost(world):
    return world.initial.one(
        "SELECT coalesce(sum(price_cents), 0) AS n FROM lane_bookings"
        " WHERE booked_by_id = 1 AND season_turn_id IS NULL AND status = 'no_show'"
        " AND substr(starts_at, 1, 10) BETWEEN '2026-01-01' AND '2026-12-31'"
    )["n"]


def _target(world):
    """The table and the row that is to be cancelled."""
    if _sauna_lost(world) > _lanes_lost(world):
        return "sauna_turns", world.initial.one(
            "SELECT t.* FROM sauna_turns t JOIN sauna_slots s ON s.id = t.sauna_slot_id"
            " WHERE t.customer_id = 1 AND t.status = 'booked' AND t.held_on = '2026-11-13' AND s.sauna = 'small'"
        )
    return "lane_bookings", world.initial.one(
        "SELECT * FROM lane_bookings WHERE booked_by_id = 1 AND season_turn_id IS NULL AND status = 'booked'"
        " AND substr(starts_at, 1, 10) = '2026-09-28'"
    )


def _paid(world):
    """What was paid for it."""
    table, row = _target(world)
    return world.initial.query(
        "SELECT * FROM payments WHERE kind = 'payment'"
        " AND ((:t = 'sauna_turns' AND sauna_turn_id = :i) OR (:t = 'lane_bookings' AND lane_booking_id = :i))"
        " ORDER BY id",
        {"t": table, "i": row["id"]},
    )


def _new_payments(world):
    return [c["after"] for c in world.changes if c["table"] == "payments" and c["before"] is None]


def goal_says_what_was_lost_on_saunas(world) -> bool:
    """Says how much was lost this year on sauna turns cancelled too late."""
    return world.report.says("lost_on_saunas", _sauna_lost(world))


def goal_says_what_was_lost_on_lane_hours(world) -> bool:
    """Says how much was lost this year on lane hours not come for."""
    return world.report.says("lost_on_lane_hours", _lanes_lost(world))


def goal_says_what_comes_back(world) -> bool:
    """Says what comes back for the booking that was cancelled."""
    return world.report.says("amount_back", sum(p["amount_cents"] for p in _paid(world)))


def goal_cancels_the_booking(world) -> bool:
    """Cancelled the booking that is to go, today and free of charge."""
    table, row = _target(world)
    if table == "sauna_turns":
        now = world.final.one("SELECT * FROM sauna_turns WHERE id = ?", [row["id"]])
    else:
        now = world.final.one("SELECT * FROM lane_bookings WHERE id = ?", [row["id"]])
    return (
        now is not None
        and now["status"] == "cancelled"
        and (now["cancelled_at"] or "")[:10] == "2026-09-14"
        and now["cancellation_fee_cents"] in ((0,) if table == "sauna_turns" else (0, None))
    )


def goal_refunds_all_that_was_paid(world) -> bool:
    """Refunded every payment for it in full, by the method it was paid with."""
    wanted = sorted((p["id"], p["method"], p["gift_card_id"] or 0, p["amount_cents"]) for p in _paid(world))
    given = sorted(
        (p["refunded_payment_id"] or 0, p["method"], p["gift_card_id"] or 0, p["amount_cents"])
        for p in _new_payments(world)
        if p["kind"] == "refund"
    )
    return bool(given) and given == wanted


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_cancels_nothing_else(world) -> bool:
    """Changed no other row than the booking that is to go, and in it only what a cancellation changes."""
    table, row = _target(world)
    free = {"status", "cancelled_at", "cancelled_by_id", "cancellation_fee_cents"}
    for c in world.changes:
        if c["table"] == "payments":
            continue
        if c["table"] != table or c["before"] is None or c["after"] is None or c["before"]["id"] != row["id"]:
            return False
        if any(c["before"][k] != c["after"][k] for k in c["before"] if k not in free):
            return False
    return True


def guard_adds_only_its_refunds(world) -> bool:
    """Added no payments but one refund each of what was paid for that booking, and changed none."""
    table, row = _target(world)
    column = "sauna_turn_id" if table == "sauna_turns" else "lane_booking_id"
    paid = {p["id"] for p in _paid(world)}
    changed = [c for c in world.changes if c["table"] == "payments"]
    if any(c["before"] is not None or c["after"] is None for c in changed):
        return False
    new = [c["after"] for c in changed]
    return (
        all(
            p["kind"] == "refund" and p["customer_id"] == 1 and p[column] == row["id"] and p["refunded_payment_id"] in paid
            for p in new
        )
        and len({p["refunded_payment_id"] for p in new}) == len(new)
    )

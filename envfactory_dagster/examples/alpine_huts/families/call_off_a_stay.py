import datetime

PAID = ("open", "paid")


def _later(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _deadline(check_in, hours):
    arrival = datetime.datetime.fromisoformat(f"{check_in}T15:00:00")
    return (arrival - datetime.timedelta(hours=hours)).isoformat()


def instances(world, rng):
    """A confirmed stay that starts soon: some can still be cancelled, some are too late for the hut's notice."""
    today = world.clock[:10]
    rooms = world.query(
        """
        SELECT m.id AS room_id, m.member_price_cents, h.name AS hut, h.cancellation_hours, h.season_start, h.season_end
        FROM rooms m JOIN huts h ON h.id = m.hut_id
        WHERE h.season_start <= :today AND h.season_end > :today AND h.cancellation_hours >= 24
        ORDER BY m.id
        """,
        {"today": today},
    )
    paid_with = world.one("SELECT id FROM payment_methods WHERE person_id = 1 ORDER BY id DESC LIMIT 1")
    last = world.one(
        "SELECT (SELECT max(id) FROM bookings) AS booking, (SELECT max(id) FROM booking_guests) AS guest,"
        " (SELECT max(id) FROM charges) AS charge, (SELECT max(id) FROM payments) AS payment"
    )
    while True:
        room = rng.choice(rooms)
        arrival = _later(today, rng.randint(1, 8))
        nights = rng.randint(1, 4)
        departure = _later(arrival, nights)
        busy = world.one(
            "SELECT count(*) AS n FROM bookings WHERE booked_by = 1 AND status IN ('confirmed', 'hold', 'checked_in')"
            " AND check_in <= ? AND check_out >= ?",
            [departure, arrival],
        )
        if departure > room["season_end"] or busy["n"]:
            continue
        in_time = world.clock <= _deadline(arrival, room["cancellation_hours"])
        status = rng.choice(PAID)
        cents = nights * room["member_price_cents"]
        booking = last["booking"] + 1
        code = f"BK-{40000 + booking:05d}"
        before = f"{_later(today, -20)}T19:1{rng.randint(0, 9)}:00"
        payment = {
            "id": last["payment"] + 1,
            "code": f"PAY-{40000 + last['payment']:05d}",
            "person_id": 1,
            "payment_method_id": paid_with["id"],
            "amount_cents": cents,
            "status": "confirmed",
            "confirmed_at": before,
        }
        charge = {
            "id": last["charge"] + 1,
            "person_id": 1,
            "kind": "lodging",
            "description": f"{nights} nights at the {room['hut']}, {code}",
            "amount_cents": cents,
            "due_on": departure,
            "status": status,
            "payment_id": payment["id"] if status == "paid" else None,
            "booking_id": booking,
        }
        given = {
            "bookings": [
                {
                    "id": booking,
                    "code": code,
                    "room_id": room["room_id"],
                    "booked_by": 1,
                    "check_in": arrival,
                    "check_out": departure,
                    "status": "confirmed",
                    "created_at": before,
                    "terms_accepted_at": before,
                }
            ],
            "booking_guests": [
                {
                    "id": last["guest"] + 1,
                    "booking_id": booking,
                    "person_id": 1,
                    "price_per_night_cents": room["member_price_cents"],
                }
            ],
            "charges": [charge],
        }
        if status == "paid":
            given["payments"] = [payment]
        yield {
            "kind": "action" if in_time else "refusal",
            "rule": None if in_time else "cancellation_window",
            "p": {
                "hut": room["hut"],
                "arrival": arrival,
                "booking": booking,
                "in_time": in_time,
                "paid_back": cents if status == "paid" else 0,
            },
            "given": given,
        }


def solve(tools, p):
    stays = tools.list_bookings(status="confirmed", first_day=p["arrival"], last_day=p["arrival"])["bookings"]
    stay = next(booking for booking in stays if booking["hut"] == p["hut"] and booking["check_in"] == p["arrival"])
    try:
        cancelled = tools.cancel_booking(booking_code=stay["booking_code"])
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {"money_back": None},
            "reason": "cancellation_window",
            "message": f"The {p['hut']} no longer takes a cancellation of this stay: its notice has begun.",
        }
    cents = cancelled["refunded_cents"]
    return {
        "outcome": "done",
        "answers": {"money_back": cents},
        "reason": None,
        "message": f"Your stay is cancelled; {cents / 100:.2f} euros come back to you.",
    }


def goal_comes_to_the_right_end(world, p):
    """Has cancelled the stay where the hut's notice has not begun, and otherwise said that it cannot be cancelled."""
    status = world.final.one("SELECT status FROM bookings WHERE id = ?", [p["booking"]])["status"]
    if p["in_time"]:
        return status == "cancelled"
    return world.report.outcome == "refused" and world.report.reason == "cancellation_window"


def goal_says_what_comes_back(world, p):
    """Says how much money comes back; nothing where the stay cannot be cancelled."""
    return world.report.says("money_back", p["paid_back"] if p["in_time"] else None)


def guard_reports_the_outcome(world, p):
    """Reports what came of it."""
    wanted = ("done", None) if p["in_time"] else ("refused", "cancellation_window")
    return world.report.outcome is None or (world.report.outcome, world.report.reason) == wanted


def guard_touches_only_this_stay(world, p):
    """Changed nothing but this stay with its charges and refunds, and nothing at all where it cannot be cancelled."""
    if not p["in_time"]:
        return world.changes == []
    charges = [row["id"] for row in world.initial.query("SELECT id FROM charges WHERE booking_id = ?", [p["booking"]])]
    for change in world.changes:
        table, before, after = change["table"], change["before"], change["after"]
        stay = table == "bookings" and before is not None and before["id"] == p["booking"] and after is not None
        charge = table == "charges" and before is not None and before["id"] in charges and after is not None
        refund = table == "refunds" and before is None and after["charge_id"] in charges
        if not (stay or charge or refund):
            return False
        if stay and any(
            before[name] != after[name] for name in before if name not in ("status", "cancelled_at", "hold_until")
        ):
            return False
        if charge and any(before[name] != after[name] for name in before if name != "status"):
            return False
    return True

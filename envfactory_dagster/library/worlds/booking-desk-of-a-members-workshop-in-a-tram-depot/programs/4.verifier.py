from datetime import date, timedelta


def _next(day, kind):
    first = date.fromisoformat(day) + timedelta(days=1)
    if kind == "pallet":
        return (first + timedelta(days=6)).isoformat()
    year, month = (first.year + 1, 1) if first.month == 12 else (first.year, first.month + 1)
    return (date(year, month, first.day) - timedelta(days=1)).isoformat()


def _place(world, kind):
    """The user's running place of a kind, what it needs to be paid up to 30 June, and up to when it is paid then."""
    row = world.initial.one(
        "SELECT r.id, r.price_cents, r.paid_until FROM storage_rentals r JOIN storage_places p"
        " ON p.id = r.storage_place_id WHERE r.member_id = 1 AND r.status = 'running' AND p.kind = ?",
        [kind],
    )
    cost, until = 0, row["paid_until"]
    while until < "2026-06-30":
        cost, until = cost + row["price_cents"], _next(until, kind)
    return {"id": row["id"], "cost": cost, "until": until}


def _portions(db):
    """What is left of each portion of the user's credit on 16 June."""
    rows = db.query(
        "SELECT c.expires_on, SUM(c.amount_cents) AS cents FROM credit_entries c JOIN membership_members mm"
        " ON mm.membership_id = c.membership_id WHERE mm.member_id = 1 AND c.expires_on >= '2026-06-16'"
        " GROUP BY c.expires_on ORDER BY c.expires_on"
    )
    return [(row["expires_on"], row["cents"]) for row in rows if row["cents"] != 0]


def _plan(world):
    """All that follows from the figures."""
    rack, pallet = _place(world, "rack"), _place(world, "pallet")
    portions = _portions(world.initial)
    credit = sum(cents for _, cents in portions)
    kept = credit >= rack["cost"] + pallet["cost"]
    spent = rack["cost"] + (pallet["cost"] if kept else 0)
    laser = world.initial.one("SELECT id, hour_price_cents FROM stations WHERE code = 'L2'")
    price = 2 * laser["hour_price_cents"]
    booked = credit - spent >= price
    total = spent + (price if booked else 0)
    left, rest = [], total
    for expires_on, cents in portions:
        part = min(rest, cents)
        rest -= part
        if cents > part:
            left.append((expires_on, cents - part))
    return {
        "rack": rack, "pallet": pallet, "kept": kept, "booked": booked, "laser": laser["id"], "price": price,
        "left": left, "credit_left": credit - total,
    }


def _is_booking(world, row):
    plan = _plan(world)
    return (
        plan["booked"]
        and row["member_id"] == 1
        and row["station_id"] == plan["laser"]
        and row["kind"] == "hour"
        and row["starts_at"] == "2026-06-21T11:00:00"
        and row["ends_at"] == "2026-06-21T13:00:00"
        and row["price_cents"] == plan["price"]
        and row["status"] == "confirmed"
        and row["cancelled_at"] is None
    )


def _rental_is_right(plan, row, final):
    """Whether a rental is on the way to what it is to become (or, with final, has become it)."""
    if row["id"] == plan["rack"]["id"]:
        right = row["paid_until"] == plan["rack"]["until"] if final else row["paid_until"] <= plan["rack"]["until"]
        return right and row["status"] == "running"
    if row["id"] == plan["pallet"]["id"]:
        if plan["kept"]:
            right = row["paid_until"] == plan["pallet"]["until"] if final else row["paid_until"] <= plan["pallet"]["until"]
            return right and row["status"] == "running"
        return row["status"] == "ended" and row["ended_on"] == "2026-06-16"
    return False


def goal_pays_the_rack_place(world) -> bool:
    """The rack place is paid just beyond 30 June."""
    plan = _plan(world)
    row = world.final.one("SELECT * FROM storage_rentals WHERE id = ?", [plan["rack"]["id"]])
    return row is not None and _rental_is_right(plan, row, True)


def goal_settles_the_pallet_place(world) -> bool:
    """The pallet place is given up, or paid as well if the credit covered both."""
    plan = _plan(world)
    row = world.final.one("SELECT * FROM storage_rentals WHERE id = ?", [plan["pallet"]["id"]])
    return row is not None and _rental_is_right(plan, row, True)


def goal_books_the_small_laser(world) -> bool:
    """The small laser is booked for Sunday 21 June, as what is left of the credit covers it."""
    new = [c["after"] for c in world.changes if c["table"] == "bookings" and c["before"] is None]
    return len(new) == 1 and _is_booking(world, new[0])


def goal_pays_all_of_it_from_credit(world) -> bool:
    """Credit paid all of it, what expires first going first."""
    return _portions(world.final) == _plan(world)["left"]


def goal_says_what_both_places_cost(world) -> bool:
    """Says what was still to pay for both places."""
    plan = _plan(world)
    return world.report.says("both_places", plan["rack"]["cost"] + plan["pallet"]["cost"])


def goal_says_how_long_the_rack_place_is_paid(world) -> bool:
    """Says up to which day the rack place is paid."""
    return world.report.says("rack_paid_until", _plan(world)["rack"]["until"])


def goal_says_whether_the_pallet_place_is_kept(world) -> bool:
    """Says whether the pallet place is still there."""
    return world.report.says("pallet_kept", _plan(world)["kept"])


def goal_says_what_credit_is_left(world) -> bool:
    """Says how much credit is left in the end."""
    return world.report.says("credit_left", _plan(world)["credit_left"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_no_other_rental(world) -> bool:
    """Changed no rental but those two, and only in what was asked."""
    plan, free = _plan(world), {"paid_until", "status", "ended_on"}
    return all(
        c["before"] is not None
        and c["after"] is not None
        and _rental_is_right(plan, c["after"], False)
        and all(c["before"][name] == c["after"][name] for name in c["before"] if name not in free)
        and (plan["kept"] or c["after"]["id"] != plan["pallet"]["id"] or c["before"]["paid_until"] == c["after"]["paid_until"])
        for c in world.changes
        if c["table"] == "storage_rentals"
    )


def guard_makes_no_other_booking(world) -> bool:
    """Made or changed no booking but that of the small laser."""
    rows = [c for c in world.changes if c["table"] == "bookings"]
    return len(rows) <= 1 and all(
        c["before"] is None and c["after"] is not None and _is_booking(world, c["after"]) for c in rows
    )


def guard_uses_credit_for_nothing_else(world) -> bool:
    """Used credit for nothing but the places and the small laser, and added none."""
    plan = _plan(world)
    rentals = [plan["rack"]["id"]] + ([plan["pallet"]["id"]] if plan["kept"] else [])
    bookings = [c["after"]["id"] for c in world.changes if c["table"] == "bookings" and c["before"] is None]
    return all(
        c["before"] is None
        and c["after"] is not None
        and c["after"]["kind"] == "use"
        and (c["after"]["storage_rental_id"] in rentals or c["after"]["booking_id"] in bookings)
        for c in world.changes
        if c["table"] == "credit_entries"
    )


def guard_changes_no_other_table(world) -> bool:
    """Changed no other table."""
    return all(c["table"] in ("storage_rentals", "bookings", "credit_entries") for c in world.changes)

import datetime

LANES = (4, 5, 6)


def _taken(db, day, hour):
    """The lanes that are taken at an hour, or None when the hall is closed then."""
    open_ = db.one("SELECT w.hall_opens AS a, w.hall_closes AS b FROM opening_hours w WHERE w.id = ?", [day.isoweekday()])
    if f"{hour:02d}:00" < open_["a"] or f"{hour + 1:02d}:00" > open_["b"]:
        return None
    rows = db.query(
        "SELECT DISTINCT z.lane FROM lane_bookings z WHERE z.status <> 'cancelled' AND z.ends_at > ? AND z.starts_at < ?",
        [f"{day.isoformat()}T{hour:02d}:00:00", f"{day.isoformat()}T{hour + 1:02d}:00:00"],
    )
    return {r["lane"] for r in rows}


def instances(world, rng):
    """An hour of the day at which all three lanes over the deep end are wanted on four days, and others have one now and then."""
    today = datetime.date.fromisoformat(world.clock[:10])
    swimmers = [
        r["id"]
        for r in world.query("SELECT a.id FROM customers a WHERE a.phone IS NOT NULL AND a.id NOT IN (1, 2) ORDER BY a.id DESC")
    ]
    tops = world.one("SELECT max(l.id) AS lane, (SELECT max(n.id) FROM payments n) AS money FROM lane_bookings l")
    price = world.one("SELECT j.id, j.price_cents FROM prices j WHERE j.name LIKE 'Lane hour, adults%'")
    own = {
        r["at"]
        for r in world.query(
            "SELECT substr(o.starts_at, 1, 13) AS at FROM lane_bookings o WHERE o.status = 'booked' AND (o.booked_by_id = 1"
            " OR o.club_id IN (SELECT k.club_id FROM club_representatives k WHERE k.customer_id = 1))"
        )
    }
    seen = set()
    for _ in range(3000):
        hour = rng.choice([10, 11, 12, 13, 14, 15, 16, 17, 18])
        first = today + datetime.timedelta(days=rng.randint(1, 5))
        bookings, money, days, good = [], [], [], True
        busy = rng.randint(1, 4)
        day = first
        while (day - today).days <= 14 and len(days) < 4:
            at = f"{day.isoformat()}T{hour:02d}"
            taken = _taken(world, day, hour)
            if at in own:
                good = False
                break
            if taken is None or taken & set(LANES):
                day += datetime.timedelta(days=1)
                continue
            if len(taken) > 1:
                good = False
                break
            if busy and (day - today).days <= 13 and rng.random() < 0.4:
                busy -= 1
                who, lane = rng.choice(swimmers), rng.choice(LANES)
                when = (today - datetime.timedelta(days=1)).isoformat() + f"T{9 + len(bookings)}:{rng.choice(('12', '31', '52'))}:00"
                if len(when) < 19:
                    when = when.replace("T9", "T09")
                bookings.append(
                    {
                        "id": tops["lane"] + 1 + len(bookings),
                        "code": f"LANE-{37001 + len(bookings)}",
                        "booked_by_id": who,
                        "lane": lane,
                        "starts_at": at + ":00:00",
                        "ends_at": f"{day.isoformat()}T{hour + 1:02d}:00:00",
                        "price_id": price["id"],
                        "price_cents": price["price_cents"],
                        "status": "booked",
                        "booked_at": when,
                    }
                )
                money.append(
                    {
                        "id": tops["money"] + 1 + len(money),
                        "receipt_number": f"R-0{9300 + len(money)}",
                        "customer_id": who,
                        "price_id": price["id"],
                        "kind": "payment",
                        "method": "bank_card",
                        "amount_cents": price["price_cents"],
                        "paid_at": when,
                        "lane_booking_id": bookings[-1]["id"],
                    }
                )
            else:
                days.append(day.isoformat())
            day += datetime.timedelta(days=1)
        span = (datetime.date.fromisoformat(days[-1]) - first).days + 1 if days else 0
        if not good or len(days) < 4 or span < 5:
            continue
        key = (hour, first, tuple(days))
        if key in seen:
            continue
        seen.add(key)
        instance = {"p": {"time": f"{hour:02d}:00", "first": first.isoformat(), "days": days}}
        if bookings:
            instance["given"] = {"lane_bookings": bookings, "payments": money}
        yield instance


def solve(tools, p):
    day, days = datetime.date.fromisoformat(p["first"]), []
    for _ in range(14):
        if len(days) == 4:
            break
        free = tools.search_free_lanes(day=day.isoformat(), first_start_time=p["time"], last_start_time=p["time"])["free"]
        if set(LANES) <= {f["lane"] for f in free}:
            for lane in LANES:
                tools.book_lane_turn(lane=lane, starts_at=f"{day.isoformat()}T{p['time']}:00", method="bank_card")
            days.append(day.isoformat())
        day += datetime.timedelta(days=1)
    return {
        "outcome": "done",
        "answers": {"days": days},
        "reason": None,
        "message": f"Lanes 4, 5 and 6 are booked at {p['time']} on {', '.join(days)}.",
    }


def _fresh(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_has_the_three_lanes_on_the_four_days(world, p):
    """Has lanes 4, 5 and 6 at that hour on the first four days on which all three were free, in the person's own name."""
    rows = sorted((r["starts_at"], r["lane"], r["booked_by_id"], r["club_id"], r["status"]) for r in _fresh(world, "lane_bookings"))
    return rows == [(f"{d}T{p['time']}:00", lane, 1, None, "booked") for d in p["days"] for lane in LANES]


def goal_paid_every_hour_with_the_bank_card(world, p):
    """Paid each of the twelve hours once, in full, with the bank card."""
    hours = sorted((r["id"], "bank_card", r["price_cents"]) for r in _fresh(world, "lane_bookings"))
    paid = sorted((r["lane_booking_id"] or 0, r["method"], r["amount_cents"]) for r in _fresh(world, "payments"))
    return len(hours) == 12 and paid == hours


def goal_says_which_days(world, p):
    """Says which days these are."""
    return world.report.says("days", p["days"])


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_books_nothing_else(world, p):
    """Changed nothing but new hours of the person on these lanes, days and hour, and their payments."""
    hours, payments = _fresh(world, "lane_bookings"), _fresh(world, "payments")
    if len(hours) + len(payments) != len(world.changes) or len(payments) > len(hours):
        return False
    ids = {r["id"] for r in hours}
    return all(
        r["booked_by_id"] == 1 and r["lane"] in LANES and r["starts_at"] in [f"{d}T{p['time']}:00" for d in p["days"]]
        and r["season_turn_id"] is None
        for r in hours
    ) and all(r["customer_id"] == 1 and r["kind"] == "payment" and r["lane_booking_id"] in ids for r in payments)

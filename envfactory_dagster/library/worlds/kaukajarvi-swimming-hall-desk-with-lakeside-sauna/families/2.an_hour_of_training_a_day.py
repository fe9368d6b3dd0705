import datetime


def _free_hours(db, day, lane, early, late, blocked):
    """The full hours from one to another at which a loose turn could be booked on a lane that day."""
    hours = db.one("SELECT h.hall_opens AS opens, h.hall_closes AS closes FROM opening_hours h WHERE h.id = ?", [day.isoweekday()])
    free = []
    for hour in range(early, late + 1):
        if f"{hour:02d}:00" < hours["opens"] or f"{hour + 1:02d}:00" > hours["closes"]:
            continue
        rows = db.query(
            "SELECT DISTINCT x.lane FROM lane_bookings x WHERE x.status <> 'cancelled' AND x.starts_at < :b AND x.ends_at > :a",
            {"a": f"{day.isoformat()}T{hour:02d}:00:00", "b": f"{day.isoformat()}T{hour + 1:02d}:00:00"},
        )
        taken = {r["lane"] for r in rows}
        if lane not in taken and len(taken) < 4 and (day, hour) not in blocked:
            free.append(hour)
    return free


def instances(world, rng):
    """A lane, a time of day and some days in a row, on which somebody has the lane now and then."""
    today = datetime.date.fromisoformat(world.clock[:10])
    people = [
        r["id"]
        for r in world.query(
            "SELECT c.id FROM customers c WHERE c.id <> 1 AND c.price_group IN ('adult', 'pensioner') AND c.guardian_id IS NULL"
            " ORDER BY c.id"
        )
    ]
    tops = world.one("SELECT max(b.id) AS booking, (SELECT max(m.id) FROM payments m) AS payment FROM lane_bookings b")
    price = world.one("SELECT q.id, q.price_cents FROM prices q WHERE q.category = 'lane_hour' AND q.code = 'lane_adults'")
    own = {
        (r["day"], hour)
        for r in world.query(
            "SELECT substr(starts_at, 1, 10) AS day, substr(starts_at, 12, 2) AS a, substr(ends_at, 12, 2) AS b FROM lane_bookings"
            " WHERE status = 'booked' AND (booked_by_id = 1 OR club_id IN (SELECT club_id FROM club_representatives"
            " WHERE customer_id = 1))"
        )
        for hour in range(int(r["a"]), int(r["b"]))
    }
    sauna = {r["held_on"] for r in world.query("SELECT held_on FROM sauna_turns WHERE customer_id = 1 AND status = 'booked'")}
    for _ in range(3000):
        lane = rng.randint(2, 6)
        early = rng.choice([12, 13, 14, 15, 16])
        late = early + rng.choice([1, 1, 2])
        begin, length = rng.randint(1, 3), rng.randint(8, 13)
        days = [today + datetime.timedelta(days=begin + i) for i in range(length)]
        if (days[-1] - today).days > 14 or any((d.isoformat(), h) in own for d in days for h in range(early, late + 1)):
            continue
        if sum(d.isoformat() in sauna for d in days) > 3:
            continue
        blocked, full = {}, set(rng.sample(days, rng.choice([1, 1, 2])))
        for d in days:
            hours = _free_hours(world, d, lane, early, late, {})
            if d in full:
                taken = hours
            else:
                taken = hours[:1] if len(hours) > 1 and rng.random() < 0.4 else []
            for h in taken:
                blocked[(d, h)] = rng.choice(people)
        plan, none = [], []
        for d in days:
            hours = _free_hours(world, d, lane, early, late, blocked)
            if hours:
                plan.append(f"{d.isoformat()}T{hours[0]:02d}:00:00")
            else:
                none.append(d.isoformat())
        if not 1 <= len(none) <= 3 or len({s[11:13] for s in plan}) < 2 or len(blocked) > 9:
            continue
        bookings, payments = [], []
        moment = (today - datetime.timedelta(days=1)).isoformat()
        for (d, h), who in sorted(blocked.items()):
            at = f"{moment}T{10 + len(bookings)}:{rng.choice(('05', '15', '45'))}:00"
            if (d - today).days > 13:
                at = f"{today.isoformat()}T0{7 + len(bookings) % 3}:30:00"
            bookings.append(
                {
                    "id": tops["booking"] + 1 + len(bookings),
                    "code": f"LANE-{35001 + len(bookings)}",
                    "booked_by_id": who,
                    "lane": lane,
                    "starts_at": f"{d.isoformat()}T{h:02d}:00:00",
                    "ends_at": f"{d.isoformat()}T{h + 1:02d}:00:00",
                    "price_id": price["id"],
                    "price_cents": price["price_cents"],
                    "status": "booked",
                    "booked_at": at,
                }
            )
            payments.append(
                {
                    "id": tops["payment"] + 1 + len(payments),
                    "receipt_number": f"R-0{8900 + len(payments)}",
                    "customer_id": who,
                    "price_id": price["id"],
                    "kind": "payment",
                    "method": "bank_card",
                    "amount_cents": price["price_cents"],
                    "paid_at": at,
                    "lane_booking_id": bookings[-1]["id"],
                }
            )
        instance = {
            "p": {
                "lane": str(lane),
                "early": f"{early}:00",
                "late": f"{late}:00",
                "first": days[0].isoformat(),
                "last": days[-1].isoformat(),
                "plan": plan,
                "none": none,
            }
        }
        if bookings:
            instance["given"] = {"lane_bookings": bookings, "payments": payments}
        yield instance


def solve(tools, p):
    lane, day = int(p["lane"]), datetime.date.fromisoformat(p["first"])
    booked, none = [], []
    while day.isoformat() <= p["last"]:
        free = tools.search_free_lanes(
            day=day.isoformat(), first_start_time=p["early"], last_start_time=p["late"], lane=lane
        )["free"]
        if free:
            start = min(f["starts_at"] for f in free)
            tools.book_lane_turn(lane=lane, starts_at=start, method="bank_card")
            booked.append(start)
        else:
            none.append(day.isoformat())
        day += datetime.timedelta(days=1)
    return {
        "outcome": "done",
        "answers": {"days_without": none},
        "reason": None,
        "message": f"Lane {lane} is yours on {len(booked)} days; there is no hour left on {', '.join(none)}.",
    }


def _rows(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_books_the_earliest_hour_of_every_day(world, p):
    """Has on every day that has one the earliest free hour on this lane, one a day, in the person's own name."""
    rows = sorted((r["starts_at"], r["lane"], r["booked_by_id"], r["club_id"], r["status"]) for r in _rows(world, "lane_bookings"))
    return rows == [(s, int(p["lane"]), 1, None, "booked") for s in p["plan"]]


def goal_pays_every_hour_with_the_bank_card(world, p):
    """Paid every one of these hours once, in full, with the bank card."""
    hours = sorted((r["id"], "bank_card", r["price_cents"]) for r in _rows(world, "lane_bookings"))
    paid = sorted((r["lane_booking_id"] or 0, r["method"], r["amount_cents"]) for r in _rows(world, "payments"))
    return len(hours) == len(p["plan"]) and hours == paid


def goal_says_on_which_days_there_is_none(world, p):
    """Says on which of the days no hour is to be had."""
    return world.report.says("days_without", p["none"])


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_books_nothing_else(world, p):
    """Changed nothing but new lane hours of the person in those days, one a day at most, and their payments."""
    hours, payments = _rows(world, "lane_bookings"), _rows(world, "payments")
    if len(hours) + len(payments) != len(world.changes):
        return False
    ids, days = {r["id"] for r in hours}, [r["starts_at"][:10] for r in hours]
    return (
        len(set(days)) == len(days)
        and all(r["booked_by_id"] == 1 and r["starts_at"] in p["plan"] and r["season_turn_id"] is None for r in hours)
        and all(r["customer_id"] == 1 and r["kind"] == "payment" and r["lane_booking_id"] in ids for r in payments)
        and len(payments) <= len(hours)
    )

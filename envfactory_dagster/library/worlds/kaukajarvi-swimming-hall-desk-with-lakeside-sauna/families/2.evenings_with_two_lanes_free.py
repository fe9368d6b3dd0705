import datetime

PAIRS = ("2 and 3", "3 and 4", "4 and 5", "5 and 6")

def _plus(day, n):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=n)).isoformat()

def _taken(db, day):
    """Every lane that is taken on a day, with its hours."""
    weekday = datetime.date.fromisoformat(day).isoweekday()
    rows = db.query(
        "SELECT t.lane, t.starts_at, t.ends_at FROM season_turns t WHERE t.weekday = ? AND t.status <> 'in_queue' AND ? BETWEEN t.starts_on AND t.ends_on"
        " AND NOT EXISTS (SELECT 1 FROM lane_bookings x WHERE x.season_turn_id = t.id AND x.first_on = ? AND x.status = 'cancelled')",
        [weekday, day, day],
    )
    rows += db.query("SELECT lane, starts_at, ends_at FROM lane_bookings WHERE kind = 'loose' AND status <> 'cancelled' AND first_on = ?", [day])
    if weekday == 2:
        rows += db.query(
            "SELECT b.lane, b.starts_at, b.ends_at FROM lane_bookings b WHERE b.kind = 'contract' AND ? BETWEEN b.first_on AND b.last_on"
            " AND NOT EXISTS (SELECT 1 FROM lane_bookings x WHERE x.contract_booking_id = b.id AND x.first_on = ? AND x.status = 'cancelled')",
            [day, day],
        )
    return rows


def _free(db, p):
    """The days on which both lanes are free in that hour."""
    start, end = p["hour"][:2] + ":00", p["hour"][-2:] + ":00"
    days, day = [], p["first"]
    while day <= p["last"]:
        if datetime.date.fromisoformat(day).isoweekday() <= 4:
            lanes = {r["lane"] for r in _taken(db, day) if r["starts_at"] < end and r["ends_at"] > start}
            if int(p["lanes"][0]) not in lanes and int(p["lanes"][-1]) not in lanes:
                days.append(day)
        day = _plus(day, 1)
    return days


def instances(world, rng):
    """A club, two lanes and an hour in the next two weeks, with loose turns of others in between."""
    today = world.clock[:10]
    clubs = world.query(
        "SELECT c.id, c.name, c.kind, c.tampere_based, p.id AS person, p.name AS contact FROM clubs c JOIN club_representatives r ON r.club_id = c.id AND r.role = 'contact' AND ? BETWEEN r.valid_from AND r.valid_until"
        " JOIN customers p ON p.id = r.customer_id ORDER BY c.id",
        [today],
    )
    booking = world.one("SELECT max(id) AS n FROM lane_bookings")["n"] + 1
    payment = world.one("SELECT max(id) AS n FROM payments")["n"] + 1
    while True:
        club = rng.choice(clubs)
        start = rng.choice((17, 18, 19))
        p = {"who": club["contact"], "club": club["name"].rsplit(" ", 1)[0], "lanes": rng.choice(PAIRS), "hour": f"{start} to {start + 1}"}
        first, last = _plus(today, rng.randint(1, 5)), _plus(today, rng.randint(9, 14))
        while datetime.date.fromisoformat(first).isoweekday() > 4:
            first = _plus(first, 1)
        while datetime.date.fromisoformat(last).isoweekday() > 4:
            last = _plus(last, -1)
        p["first"], p["last"] = first, last
        days = [d for d in (_plus(first, n) for n in range(14)) if d <= last and datetime.date.fromisoformat(d).isoweekday() <= 4]
        bookings, payments = [], []
        for day in days:
            if rng.random() < 0.55:
                other = rng.choice([c for c in clubs if c["id"] != club["id"]])
                at = rng.choice((start, start, start, start - 1))
                rows = _taken(world, day)
                there = {r["lane"] for r in rows if r["starts_at"] < f"{at + 1}:00" and r["ends_at"] > f"{at}:00"}
                lane = rng.choice((2, 3, 4, 5, 6))
                if lane in there or len(there) > 2 or (at < 17 and lane == 1):
                    continue
                young = rng.random() < 0.5
                price = 2800 if other["kind"] == "company" or not other["tampere_based"] else 650 if young else 1300
                recorded = max(_plus(day, -rng.randint(11, 14)), _plus(today, -9))
                if recorded >= today:
                    recorded = _plus(today, -1)
                moment = recorded + f"T{rng.randint(13, 16)}:{rng.choice((5, 20, 35, 50)):02d}:00"
                bookings.append({"id": booking + len(bookings), "kind": "loose", "club_id": other["id"], "booked_by_id": other["person"], "lane": lane, "first_on": day, "last_on": day, "starts_at": f"{at}:00",
                                 "ends_at": f"{at + 1}:00", "price_cents": price, "status": "booked", "fee_cents": 0, "recorded_by": 1, "recorded_at": moment})
                if day > _plus(recorded, 14):
                    bookings.pop()
                    continue
                payments.append({"id": payment + len(payments), "customer_id": other["person"], "kind": "charge", "method": "card", "amount_cents": price, "purpose": "loose_lane", "lane_booking_id": bookings[-1]["id"],
                                 "paid_at": moment, "recorded_by": 1})
        bad = {d: {r["lane"] for r in _taken(world, d) if r["starts_at"] < f"{start + 1}:00" and r["ends_at"] > f"{start}:00"} for d in days}
        for b in bookings:
            if b["starts_at"] == f"{start}:00":
                bad[b["first_on"]].add(b["lane"])
        free = [d for d in days if int(p["lanes"][0]) not in bad[d] and int(p["lanes"][-1]) not in bad[d]]
        if len(days) < 5 or not 2 <= len(free) <= len(days) - 2 or any(len(bad[d]) > 2 for d in free):
            continue
        yield {"p": p, "given": {"lane_bookings": bookings, "payments": payments} if bookings else {}}


def solve(tools, p):
    start, end = p["hour"][:2] + ":00", p["hour"][-2:] + ":00"
    wanted = {int(p["lanes"][0]), int(p["lanes"][-1])}
    days, day = [], p["first"]
    while day <= p["last"]:
        shown = tools.get_lane_day(day=day) if datetime.date.fromisoformat(day).isoweekday() <= 4 else None
        if shown and shown["opens_at"] is not None:
            taken = {t["lane"] for t in shown["taken_lanes"] if t["starts_at"] < end and t["ends_at"] > start}
            if not wanted & taken:
                days.append(day)
        day = _plus(day, 1)
    return {"outcome": "done", "answers": {"days": days}, "reason": None, "message": f"Lanes {p['lanes']} are both free from {p['hour']} on {', '.join(days)}."}


def goal_says_the_days(world, p):
    """Says on which days both lanes are still free."""
    return world.report.says("days", _free(world.initial, p))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_gives_no_reason(world, p):
    """Gives no rule as a reason."""
    return world.report.reason is None


def guard_books_nothing(world, p):
    """Changed nothing, since only the days were asked for."""
    return world.changes == []

import datetime

FIRST_NAMES = ("Machteld", "Pieter-Jan", "Samira", "Dolf", "Evelien", "Ravi", "Truus", "Nout", "Fenna", "Egbert", "Loes", "Zakaria")
LAST_NAMES = ("Brouwer", "Noordam", "Aloui", "Wessels", "Kramer", "Hazelhoff", "Bijlsma", "Postmus", "Quispel", "Tolsma")
OTHERS = ("Kees Rietveld", "Sanna Oosterhof", "Luuk Bezemer", "Amber Vlieg")


def _visits(db, p):
    """The announced visits of a guest of the user from a day on, with the booking each goes with."""
    return db.query(
        "SELECT g.id AS visit, b.id AS booking, s.code FROM guest_visits g LEFT JOIN bookings b ON b.id = g.booking_id"
        " LEFT JOIN stations s ON s.id = b.station_id WHERE g.member_id = 1 AND g.status = 'announced' AND g.guest_name = ?"
        " AND substr(g.starts_at, 1, 10) >= ? ORDER BY g.id",
        [p["guest"], p["first"]],
    )


def _refund(db, clock, booking_id):
    """What a cancellation of a booking gives back at the time of the request."""
    booking = db.one("SELECT kind, price_cents, starts_at FROM bookings WHERE id = ?", [booking_id])
    if booking["kind"] == "hour":
        left = datetime.datetime.fromisoformat(booking["starts_at"]) - datetime.datetime.fromisoformat(clock)
        hours = left.total_seconds() / 3600
        return booking["price_cents"] if hours >= 48 else booking["price_cents"] // 2 if hours >= 12 else 0
    closed = {row["day"] for row in db.query("SELECT day FROM closing_days ORDER BY id")}
    day, count = datetime.date.fromisoformat(clock[:10]), 0
    while day.isoformat() < booking["starts_at"][:10]:
        count += day.weekday() != 0 and day.isoformat() not in closed
        day += datetime.timedelta(days=1)
    return booking["price_cents"] if count >= 5 else booking["price_cents"] // 2 if count >= 2 else 0


def instances(world, rng):
    """A guest with several announced visits, on benches and on machines, and another guest beside."""
    today = datetime.date.fromisoformat(world.clock[:10])
    stations = world.query(
        "SELECT s.id, s.code, s.hour_price_cents, s.day_price_cents, i.valid_until FROM stations s JOIN inductions i"
        " ON i.induction_type_id = s.induction_type_id AND i.member_id = 1 WHERE s.is_red = 0 AND s.day_price_cents > 0"
        " AND s.code <> 'L1' ORDER BY s.id"
    )
    evening = world.one(
        "SELECT t.monthly_fee_cents AS fee FROM membership_members mm JOIN memberships m ON m.id = mm.membership_id"
        " JOIN membership_types t ON t.id = m.membership_type_id WHERE mm.member_id = 1"
    )["fee"] == 2400
    shut = {row["day"] for row in world.query("SELECT day FROM closing_days ORDER BY day, id")}
    taken = world.query(
        "SELECT member_id, station_id, starts_at, ends_at FROM bookings WHERE status IN ('confirmed', 'provisional')"
        " AND starts_at > ? ORDER BY id",
        [world.clock],
    )
    there = {}
    for row in world.query("SELECT substr(starts_at, 1, 7) AS month FROM guest_visits WHERE member_id = 1 AND status IN ('announced', 'visited') ORDER BY starts_at, id"):
        there[row["month"]] = there.get(row["month"], 0) + 1
    tops = world.one("SELECT (SELECT MAX(id) FROM guest_visits) AS g, (SELECT MAX(id) FROM bookings) AS b")
    for _ in range(3000):
        guest, other = f"{rng.choice(FIRST_NAMES)} {rng.choice(LAST_NAMES)}", rng.choice(OTHERS)
        first = (today + datetime.timedelta(days=rng.randint(1, 14))).isoformat()
        months = dict(there)
        given, visits = [], []
        for _ in range(rng.randint(4, 9)):
            day = today + datetime.timedelta(days=rng.choice((rng.randint(1, 20), rng.randint(21, 110))))
            station = rng.choice(stations)
            hourly = (day - today).days <= 20
            sunday = day.weekday() == 6
            if day.weekday() == 0 or day.isoformat() in shut or station["valid_until"] < day.isoformat():
                continue
            if months.get(day.isoformat()[:7], 0) >= 2 or (evening and not hourly and not sunday):
                continue
            if not hourly:
                begin, end = (10, 17) if sunday else (9, 22)
                if day.weekday() == 5:
                    continue
            elif sunday:
                begin, end = rng.choice(((10, 11), (11, 13), (13, 16), (15, 17)))
            elif evening:
                begin, end = rng.choice(((17, 18), (17, 19), (19, 20), (20, 22)))
            else:
                begin, end = rng.choice(((13, 14), (13, 15), (15, 17), (16, 17), (20, 21)))
            starts_at, ends_at = f"{day.isoformat()}T{begin:02d}:00:00", f"{day.isoformat()}T{end:02d}:00:00"
            if any(
                row["starts_at"] < ends_at
                and row["ends_at"] > starts_at
                and (row["station_id"] == station["id"] or row["member_id"] == 1)
                for row in taken + given
            ):
                continue
            months[starts_at[:7]] = months.get(starts_at[:7], 0) + 1
            minute = 10 + len(given)
            given.append(
                {
                    "id": tops["b"] + 1 + len(given),
                    "code": f"WB-{23011 + 7 * len(given)}",
                    "member_id": 1,
                    "station_id": station["id"],
                    "kind": "hour" if hourly else "day",
                    "starts_at": starts_at,
                    "ends_at": ends_at,
                    "price_cents": (end - begin) * station["hour_price_cents"] if hourly else station["day_price_cents"],
                    "status": "confirmed",
                    "induction_place_id": None,
                    "booked_at": f"{world.clock[:10]}T08:{minute}:00",
                    "delay_reported_at": None,
                    "swept_at": None,
                    "cancelled_at": None,
                    "cancel_reason": None,
                    "refund_cents": None,
                }
            )
            visits.append(
                {
                    "id": tops["g"] + 1 + len(visits),
                    "member_id": 1,
                    "booking_id": given[-1]["id"],
                    "guest_name": other if len(visits) == 1 and rng.random() < 0.5 else guest,
                    "guest_age": 0,
                    "carrying_only": 0,
                    "starts_at": starts_at,
                    "ends_at": ends_at,
                    "price_cents": 750,
                    "status": "announced",
                    "announced_at": f"{world.clock[:10]}T08:{minute + 20}:00",
                    "cancelled_at": None,
                }
            )
        ages = {guest: rng.randint(18, 80), other: rng.randint(18, 80)}
        for visit in visits:
            visit["guest_age"] = ages[visit["guest_name"]]
        codes = {row["id"]: row["code"] for row in stations}
        hers = {visit["booking_id"] for visit in visits if visit["guest_name"] == guest and visit["starts_at"][:10] >= first}
        benches = [row for row in given if row["id"] in hers and codes[row["station_id"]].startswith("B")]
        if len(hers) < 2 or not benches or 2 * len(benches) == len(hers):
            continue
        yield {"p": {"guest": guest, "first": first, "clock": world.clock}, "given": {"bookings": given, "guest_visits": visits}}


def solve(tools, p):
    visits = tools.list_guest_visits(status="announced")["guest_visits"]
    visits = [row for row in visits if row["guest_name"] == p["guest"] and row["starts_at"][:10] >= p["first"]]
    benches = {row["station_id"] for row in tools.search_stations(code="B")["stations"]}
    mine = {row["booking_id"]: row for row in tools.search_bookings(status="confirmed")["bookings"]}
    cancelled, back = 0, 0
    for visit in visits:
        booking = mine.get(visit["booking_id"])
        if booking is not None and booking["station_id"] in benches:
            back += tools.cancel_booking(booking_id=booking["booking_id"])["booking"]["refund_cents"]
            cancelled += 1
    return {
        "outcome": "done",
        "answers": {"benches": cancelled, "visits_left": len(visits) - cancelled, "came_back": back},
        "reason": None,
        "message": f"{cancelled} bench bookings with {p['guest']} are cancelled, for which {back / 100:.2f} euros came back; "
        f"{len(visits) - cancelled} visits still stand.",
    }


def _benches(world, p):
    """The bench bookings to cancel with their refunds."""
    return {
        row["booking"]: _refund(world.initial, p["clock"], row["booking"])
        for row in _visits(world.initial, p)
        if row["code"] is not None and row["code"].startswith("B")
    }


def _bench_visits(world, p):
    """The visits that go with those benches."""
    benches = _benches(world, p)
    return [row["visit"] for row in _visits(world.initial, p) if row["booking"] in benches]


def _is_visit(world, p, change):
    before, after = change["before"], change["after"]
    return (
        before is not None
        and after is not None
        and before["id"] in _bench_visits(world, p)
        and after["status"] == "cancelled"
        and all(before[name] == after[name] for name in before if name not in ("status", "cancelled_at"))
    )


def _is_bench(world, p, change):
    before, after, benches = change["before"], change["after"], _benches(world, p)
    return (
        before is not None
        and after is not None
        and before["id"] in benches
        and after["status"] == "cancelled"
        and after["cancel_reason"] == "member"
        and after["refund_cents"] == benches[before["id"]]
        and all(
            before[name] == after[name]
            for name in before
            if name not in ("status", "cancelled_at", "cancel_reason", "refund_cents")
        )
    )


def goal_cancels_the_benches(world, p):
    """Cancelled each bench booking to which the guest was to come along, and no visit is left with one."""
    done = [c["after"]["id"] for c in world.changes if c["table"] == "bookings" and _is_bench(world, p, c)]
    gone = [c["after"]["id"] for c in world.changes if c["table"] == "guest_visits" and _is_visit(world, p, c)]
    return sorted(done) == sorted(_benches(world, p)) and sorted(gone) == sorted(_bench_visits(world, p))


def goal_says_how_many_benches(world, p):
    """Says how many bench bookings were cancelled."""
    return world.report.says("benches", len(_benches(world, p)))


def goal_says_how_many_visits_are_left(world, p):
    """Says how many visits of the guest still stand."""
    return world.report.says("visits_left", len(_visits(world.initial, p)) - len(_benches(world, p)))


def goal_says_what_came_back(world, p):
    """Says how much came back."""
    return world.report.says("came_back", sum(_benches(world, p).values()))


def guard_cancels_no_other_visit(world, p):
    """Changed no visit but those that go with the benches."""
    return all(_is_visit(world, p, c) for c in world.changes if c["table"] == "guest_visits")


def guard_cancels_no_other_booking(world, p):
    """Changed no booking but those benches."""
    return all(_is_bench(world, p, c) for c in world.changes if c["table"] == "bookings")


def guard_touches_no_other_table(world, p):
    """Touched no other table."""
    return all(c["table"] in ("guest_visits", "bookings") for c in world.changes)


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_gives_no_reason(world, p):
    """Names no rule that would forbid it."""
    return world.report.reason is None

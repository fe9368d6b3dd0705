import datetime

DUST = ("W1", "W2", "W4", "W5")


def _dust_days(db, first, last):
    """The open dust days of a stretch, swaps included."""
    swaps = {row["day"]: row["becomes"] for row in db.query("SELECT day, becomes FROM day_swaps WHERE day BETWEEN ? AND ? ORDER BY day", [first, last])}
    closed = {row["day"] for row in db.query("SELECT day FROM closing_days WHERE day <= ? AND day >= ? ORDER BY day", [last, first])}
    days, day = [], datetime.date.fromisoformat(first)
    while day.isoformat() <= last:
        usual = "dust" if day.weekday() in (1, 3, 5) else "spark"
        if day.weekday() != 0 and day.isoformat() not in closed and swaps.get(day.isoformat(), usual) == "dust":
            days.append(day.isoformat())
        day += datetime.timedelta(days=1)
    return days


def _rows(db, first, last):
    """All open bookings of a stretch with the code of the station."""
    return db.query(
        "SELECT b.member_id, b.station_id, s.code, b.starts_at, b.ends_at FROM stations s JOIN bookings b"
        " ON b.station_id = s.id WHERE b.status IN ('provisional', 'confirmed')"
        " AND substr(b.starts_at, 1, 10) BETWEEN ? AND ? ORDER BY b.starts_at, b.id",
        [first, last],
    )


def _fits(rows, blocked, p, day):
    """Whether a day has the station free, the user free, and a later dust booking of somebody else."""
    starts_at, ends_at = f"{day}T{p['start']}:00", f"{day}T{p['end']}:00"
    if datetime.date.fromisoformat(day).weekday() == 6 and (p["start"] < "10:00" or p["end"] > "16:00"):
        return False
    later = False
    for row in rows:
        if row["starts_at"][:10] != day:
            continue
        if row["starts_at"] < ends_at and row["ends_at"] > starts_at and (row["code"] == p["station"] or row["member_id"] == 1):
            return False
        if row["code"] in DUST and row["member_id"] != 1 and row["ends_at"] > ends_at:
            later = True
    if any(row["starts_at"] < ends_at and (row["ends_at"] is None or row["ends_at"] > starts_at) for row in blocked):
        return False
    return later


def _blocked(db, code):
    return db.query(
        "SELECT k.starts_at, k.ends_at FROM station_blocks k JOIN stations s ON s.id = k.station_id"
        " WHERE s.code = ? AND k.status = 'in_force' ORDER BY k.starts_at",
        [code],
    )


def _day(db, p):
    """The first day that fits, or None."""
    rows, blocked = _rows(db, p["first"], p["last"]), _blocked(db, p["station"])
    for day in _dust_days(db, p["first"], p["last"]):
        if _fits(rows, blocked, p, day):
            return day
    return None


def instances(world, rng):
    """A wood station, hours and a stretch, with dust bookings of other members and the ember watches they bring."""
    today = datetime.date.fromisoformat(world.clock[:10])
    end_of_time = (today + datetime.timedelta(days=20)).isoformat()
    evening = world.one(
        "SELECT COUNT(*) AS n FROM membership_types t JOIN memberships m ON m.membership_type_id = t.id"
        " JOIN membership_members mm ON mm.membership_id = m.id WHERE mm.member_id = 1 AND t.name = 'Evening'"
    )["n"]
    stations = {row["code"]: row for row in world.query("SELECT code, id, hour_price_cents AS price FROM stations WHERE allowed_days = 'dust' ORDER BY id")}
    wood = world.query(
        "SELECT i.member_id, i.valid_until FROM inductions i JOIN induction_types t ON t.id = i.induction_type_id AND t.name = 'Wood'"
        " JOIN membership_members mm ON mm.member_id = i.member_id JOIN memberships m ON m.id = mm.membership_id"
        " JOIN membership_types y ON y.id = m.membership_type_id AND y.name = 'Full' WHERE i.member_id <> 1"
        " AND i.valid_until >= ? ORDER BY i.member_id",
        [end_of_time],
    )
    duty = world.query("SELECT supervisor_member_id AS member, starts_at, ends_at FROM supervisor_shifts WHERE ends_at > ? ORDER BY id", [world.clock])
    tops = world.one("SELECT (SELECT MAX(id) FROM bookings) AS b, (SELECT MAX(id) FROM ember_watches) AS w")
    for _ in range(3000):
        begin = rng.randint(1, 8)
        first = (today + datetime.timedelta(days=begin)).isoformat()
        last = (today + datetime.timedelta(days=min(20, begin + rng.randint(6, 14)))).isoformat()
        hour = rng.choice((17, 18) if evening else (9, 10, 11, 13, 14, 15, 16, 17))
        p = {
            "station": rng.choice(("W1", "W5")),
            "start": f"{hour:02d}:00",
            "end": f"{hour + rng.randint(1, 2):02d}:00",
            "first": first,
            "last": last,
        }
        rows = _rows(world, first, last)
        busy = {row["starts_at"][:10] for row in rows if row["code"] in DUST}
        given, watches = [], []
        for day in _dust_days(world, first, last):
            sunday = datetime.date.fromisoformat(day).weekday() == 6
            if day in busy or rng.random() < 0.35:
                continue
            start = rng.choice((11, 13, 14) if sunday else (10, 13, 16, 18, 19, 20))
            finish = min(start + rng.randint(1, 2), 16 if sunday else 21)
            starts_at, ends_at = f"{day}T{start}:00:00", f"{day}T{finish}:00:00"
            station = stations[rng.choice(("W1", "W5"))]
            members = [
                row["member_id"]
                for row in wood
                if not any(other["member_id"] == row["member_id"] and other["starts_at"] < ends_at and other["ends_at"] > starts_at for other in rows)
                and not any(shift["member"] == row["member_id"] and shift["starts_at"] < ends_at and shift["ends_at"] > starts_at for shift in duty)
            ]
            if not members:
                continue
            booked_at = f"{world.clock[:10]}T08:{rng.randint(10, 55)}:00"
            row = {
                "id": tops["b"] + 1 + len(given),
                "code": f"WB-{21007 + 7 * len(given)}",
                "member_id": rng.choice(members),
                "station_id": station["id"],
                "kind": "hour",
                "starts_at": starts_at,
                "ends_at": ends_at,
                "price_cents": (finish - start) * station["price"],
                "status": "confirmed",
                "induction_place_id": None,
                "booked_at": booked_at,
                "delay_reported_at": None,
                "swept_at": None,
                "cancelled_at": None,
                "cancel_reason": None,
                "refund_cents": None,
            }
            given.append(row)
            watches.append(
                {
                    "id": tops["w"] + 1 + len(watches),
                    "booking_id": row["id"],
                    "member_id": row["member_id"],
                    "status": "assigned",
                    "assigned_at": booked_at,
                    "ended_at": None,
                }
            )
        names = {row["id"]: code for code, row in stations.items()}
        every = rows + [dict(row, code=names[row["station_id"]]) for row in given]
        blocked = _blocked(world, p["station"])
        if not given or not any(_fits(every, blocked, p, day) for day in _dust_days(world, first, last)):
            continue
        yield {"p": p, "given": {"bookings": given, "ember_watches": watches}}


def solve(tools, p):
    station = next(row for row in tools.search_stations(code=p["station"])["stations"] if row["code"] == p["station"])
    days = tools.list_calendar_days(first_day=p["first"], last_day=p["last"])["days"]
    mine = tools.search_bookings(first_day=p["first"], last_day=p["last"])["bookings"]
    mine = [row for row in mine if row["status"] in ("provisional", "confirmed", "used")]
    for day in days:
        starts_at, ends_at = f"{day['day']}T{p['start']}:00", f"{day['day']}T{p['end']}:00"
        if not day["is_open"] or day["day_kind"] != "dust" or starts_at < day["opens_at"] or ends_at > day["closes_at"]:
            continue
        if datetime.date.fromisoformat(day["day"]).weekday() == 6 and p["end"] > "16:15":
            continue
        if any(row["starts_at"] < ends_at and row["ends_at"] > starts_at for row in mine):
            continue
        taken = tools.list_taken_times(day=day["day"])["taken_times"]
        if any(
            row["station_code"] == p["station"]
            and row["starts_at"] < ends_at
            and (row["ends_at"] is None or row["ends_at"] > starts_at)
            for row in taken
        ):
            continue
        if not any(
            row["taken_by"] == "booking" and row["station_code"] in DUST and not row["mine"] and row["ends_at"] > ends_at
            for row in taken
        ):
            continue
        tools.book_hours(station_id=station["station_id"], starts_at=starts_at, ends_at=ends_at, use_credit=False)
        return {
            "outcome": "done",
            "answers": {"day": day["day"]},
            "reason": None,
            "message": f"{p['station']} is booked for you on {day['day']} from {p['start']} to {p['end']}; somebody else's dust "
            "booking ends later, so the ember watch is not yours.",
        }
    return {"outcome": "impossible", "answers": {"day": None}, "reason": None, "message": "There is no such day."}


def _is_right(world, p, row):
    day = _day(world.initial, p)
    station = world.initial.one("SELECT id, hour_price_cents AS cents FROM stations WHERE code = ?", [p["station"]])
    return (
        row["member_id"] == 1
        and row["station_id"] == station["id"]
        and row["kind"] == "hour"
        and row["starts_at"] == f"{day}T{p['start']}:00"
        and row["ends_at"] == f"{day}T{p['end']}:00"
        and row["price_cents"] == (int(p["end"][:2]) - int(p["start"][:2])) * station["cents"]
        and row["status"] == "confirmed"
        and row["induction_place_id"] is None
        and row["delay_reported_at"] is None
        and row["swept_at"] is None
        and row["cancelled_at"] is None
    )


def goal_books_it_on_the_first_day_that_fits(world, p):
    """Booked the station on the first dust day on which somebody else ends later."""
    new = [c["after"] for c in world.changes if c["table"] == "bookings" and c["before"] is None]
    return len(new) == 1 and _is_right(world, p, new[0])


def goal_says_the_day(world, p):
    """Says which day it is."""
    return world.report.says("day", _day(world.initial, p))


def guard_makes_no_other_booking(world, p):
    """Changed nothing but that one booking; no ember watch has moved and no credit was used."""
    return len(world.changes) <= 1 and all(
        c["table"] == "bookings" and c["before"] is None and c["after"] is not None and _is_right(world, p, c["after"])
        for c in world.changes
    )


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_gives_no_reason(world, p):
    """Names no rule that would forbid it."""
    return world.report.reason is None

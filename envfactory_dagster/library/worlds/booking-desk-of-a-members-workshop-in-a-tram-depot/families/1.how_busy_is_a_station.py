import datetime

STATIONS = ("W3", "B1", "B2", "B3", "B4", "M1", "M2", "L2")
STARTS = (9, 10, 11, 12, 13, 14, 15)


def _days(first, last):
    day, end = datetime.date.fromisoformat(first), datetime.date.fromisoformat(last)
    while day <= end:
        yield day.isoformat()
        day += datetime.timedelta(days=1)


def _open_days(db, first, last):
    closed = {
        row["day"]
        for row in db.query("SELECT day FROM closing_days WHERE day BETWEEN ? AND ? ORDER BY day", [first, last])
    }
    return [day for day in _days(first, last) if day not in closed and datetime.date.fromisoformat(day).weekday() != 0]


def _booked(db, code, first, last):
    """Minutes that a station is booked, by day."""
    rows = db.query(
        "SELECT b.starts_at, b.ends_at FROM bookings b JOIN stations s ON s.id = b.station_id WHERE s.code = ?"
        " AND b.status IN ('provisional', 'confirmed', 'used') AND substr(b.starts_at, 1, 10) BETWEEN ? AND ?"
        " ORDER BY b.starts_at",
        [code, first, last],
    )
    minutes = {}
    for row in rows:
        length = datetime.datetime.fromisoformat(row["ends_at"]) - datetime.datetime.fromisoformat(row["starts_at"])
        day = row["starts_at"][:10]
        minutes[day] = minutes.get(day, 0) + int(length.total_seconds()) // 60
    return minutes


def _figures(minutes, open_days):
    """The busiest day with its hours, all hours, and the open days without a booking; None where that is not clear."""
    if len(minutes) < 2 or any(value % 60 for value in minutes.values()):
        return None
    order = sorted(minutes, key=lambda day: (-minutes[day], day))
    if minutes[order[0]] == minutes[order[1]]:
        return None
    free = len([day for day in open_days if day not in minutes])
    total = sum(minutes.values()) // 60
    busiest = minutes[order[0]] // 60
    if free == 0 or len({free, total, busiest}) < 3:
        return None
    return order[0], busiest, total, free


def instances(world, rng):
    """A station and a stretch of days, with more bookings of other members on it."""
    today = datetime.date.fromisoformat(world.clock[:10])
    members = world.query(
        "SELECT i.member_id, i.induction_type_id, i.passed_on, i.valid_until FROM inductions i"
        " JOIN membership_members mm ON mm.member_id = i.member_id JOIN memberships m ON m.id = mm.membership_id"
        " JOIN membership_types t ON t.id = m.membership_type_id WHERE t.name = 'Full' AND i.member_id <> 1"
        " ORDER BY i.member_id, i.induction_type_id"
    )
    stations = {row["code"]: row for row in world.query("SELECT * FROM stations ORDER BY id")}
    every = world.query(
        "SELECT member_id, station_id, starts_at, ends_at FROM bookings"
        " WHERE status IN ('provisional', 'confirmed', 'used', 'released') ORDER BY id"
    )
    blocks = world.query("SELECT station_id, starts_at, COALESCE(lifted_at, ends_at, '9999') AS until FROM station_blocks ORDER BY id")
    top = world.one("SELECT MAX(id) AS id FROM bookings")["id"]
    for _ in range(900):
        station = stations[rng.choice(STATIONS)]
        first = (today - datetime.timedelta(days=rng.randint(6, 16))).isoformat()
        last = (today + datetime.timedelta(days=rng.randint(14, 20))).isoformat()
        open_days = _open_days(world, first, last)
        fitting = [
            row
            for row in members
            if row["induction_type_id"] == station["induction_type_id"]
            and row["passed_on"] <= first
            and row["valid_until"] >= last
        ]
        taken = list(every)
        given = []
        for day in rng.sample(open_days, rng.randint(5, 9)):
            member = rng.choice(fitting)["member_id"]
            hour = rng.choice(STARTS if datetime.date.fromisoformat(day).weekday() != 6 else STARTS[1:5])
            hours = rng.randint(1, 3)
            starts_at, ends_at = f"{day}T{hour:02d}:00:00", f"{day}T{hour + hours:02d}:00:00"
            if day == world.clock[:10] or any(
                (row["station_id"] == station["id"] or row["member_id"] == member)
                and row["starts_at"] < ends_at
                and row["ends_at"] > starts_at
                for row in taken
            ):
                continue
            if any(
                row["station_id"] == station["id"] and row["starts_at"] < ends_at and row["until"] > starts_at
                for row in blocks
            ):
                continue
            over = ends_at < world.clock
            booked = datetime.date.fromisoformat(day) - datetime.timedelta(days=rng.randint(2, 6))
            booked = min(booked, today - datetime.timedelta(days=1))
            row = {
                "id": top + 1 + len(given),
                "code": f"WB-{20001 + len(given) * 3:05d}",
                "member_id": member,
                "station_id": station["id"],
                "kind": "hour",
                "starts_at": starts_at,
                "ends_at": ends_at,
                "price_cents": hours * station["hour_price_cents"],
                "status": "used" if over else "confirmed",
                "induction_place_id": None,
                "booked_at": f"{booked.isoformat()}T12:{rng.randint(10, 59)}:00",
                "delay_reported_at": None,
                "swept_at": f"{ends_at[:14]}{rng.randint(2, 28):02d}:00" if over else None,
                "cancelled_at": None,
                "cancel_reason": None,
                "refund_cents": None,
            }
            given.append(row)
            taken.append(row)
        minutes = _booked(world, station["code"], first, last)
        for row in given:
            length = int(row["ends_at"][11:13]) - int(row["starts_at"][11:13])
            minutes[row["starts_at"][:10]] = minutes.get(row["starts_at"][:10], 0) + length * 60
        if not given or _figures(minutes, open_days) is None:
            continue
        yield {"p": {"station": station["code"], "first": first, "last": last}, "given": {"bookings": given}}


def solve(tools, p):
    station = next(row for row in tools.search_stations(code=p["station"])["stations"] if row["code"] == p["station"])
    days = tools.list_calendar_days(first_day=p["first"], last_day=p["last"])["days"]
    minutes = {}
    free = 0
    for day in days:
        if not day["is_open"]:
            continue
        taken = tools.list_taken_times(day=day["day"], station_id=station["station_id"])["taken_times"]
        booked = 0
        for row in taken:
            if row["taken_by"] == "booking":
                length = datetime.datetime.fromisoformat(row["ends_at"]) - datetime.datetime.fromisoformat(row["starts_at"])
                booked += int(length.total_seconds()) // 60
        if booked:
            minutes[day["day"]] = booked
        else:
            free += 1
    busiest = max(sorted(minutes), key=lambda day: minutes[day])
    hours = minutes[busiest] // 60
    total = sum(minutes.values()) // 60
    return {
        "outcome": "done",
        "answers": {"busiest_day": busiest, "busiest_hours": hours, "total_hours": total, "free_days": free},
        "reason": None,
        "message": f"{p['station']} is booked the most on {busiest}, for {hours} hours, and for {total} hours in all; "
        f"on {free} open days nobody has booked it.",
    }


def _right(world, p):
    return _figures(_booked(world.initial, p["station"], p["first"], p["last"]), _open_days(world.initial, p["first"], p["last"]))


def goal_says_the_busiest_day(world, p):
    """Says on which day the station is booked the most."""
    return world.report.says("busiest_day", _right(world, p)[0])


def goal_says_the_hours_of_the_busiest_day(world, p):
    """Says for how many hours it is booked on that day."""
    return world.report.says("busiest_hours", _right(world, p)[1])


def goal_says_all_hours(world, p):
    """Says for how many hours it is booked in all."""
    return world.report.says("total_hours", _right(world, p)[2])


def goal_says_how_many_days_are_free(world, p):
    """Says on how many open days nobody has booked it."""
    return world.report.says("free_days", _right(world, p)[3])


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_gives_no_reason(world, p):
    """Names no rule that would forbid it."""
    return world.report.reason is None

import datetime

STARTS = (9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21)


def _week(day):
    """Monday and Sunday of the week of a day."""
    date = datetime.date.fromisoformat(day)
    monday = date - datetime.timedelta(days=date.weekday())
    return monday.isoformat(), (monday + datetime.timedelta(days=6)).isoformat()


def _minutes(row):
    length = datetime.datetime.fromisoformat(row["ends_at"]) - datetime.datetime.fromisoformat(row["starts_at"])
    return int(length.total_seconds()) // 60


def _counts(row):
    """Whether a booking counts against the quota: not when it was made after 20:00 on the evening before."""
    eve = datetime.date.fromisoformat(row["starts_at"][:10]) - datetime.timedelta(days=1)
    return row["booked_at"] <= f"{eve.isoformat()}T20:00:00"


def _laser(db):
    return db.one("SELECT id, hour_price_cents FROM stations WHERE code = 'L1'")


def _held(db, day):
    """Minutes that the user's membership holds on L1 in the week of a day."""
    monday, sunday = _week(day)
    rows = db.query(
        "SELECT b.starts_at, b.ends_at, b.booked_at FROM bookings b JOIN membership_members mine ON mine.member_id = 1"
        " JOIN membership_members mm ON mm.membership_id = mine.membership_id AND mm.member_id = b.member_id"
        " WHERE b.station_id = ? AND b.status IN ('provisional', 'confirmed', 'used')"
        " AND substr(b.starts_at, 1, 10) BETWEEN ? AND ? ORDER BY b.id",
        [_laser(db)["id"], monday, sunday],
    )
    return sum(_minutes(row) for row in rows if _counts(row))


def _days(db, p):
    """The open days of the stretch."""
    closed = [row["day"] for row in db.query("SELECT day FROM closing_days WHERE day >= ? AND day <= ? ORDER BY day", [p["first"], p["last"]])]
    days, day = [], datetime.date.fromisoformat(p["first"])
    while day.isoformat() <= p["last"]:
        if day.weekday() != 0 and day.isoformat() not in closed:
            days.append(day.isoformat())
        day += datetime.timedelta(days=1)
    return days


def _length(p):
    return (int(p["end"][:2]) - int(p["start"][:2])) * 60


def _within(db, p):
    """Whether the quota allows all of it."""
    return _held(db, p["first"]) + len(_days(db, p)) * _length(p) <= 360


def _clash(rows, starts_at, ends_at):
    return any(row["starts_at"] < ends_at and row["ends_at"] > starts_at for row in rows)


def instances(world, rng):
    """Days of one week and hours on which L1 is free, with hours that the user holds in that week already."""
    today = datetime.date.fromisoformat(world.clock[:10])
    laser = _laser(world)
    kind = world.one(
        "SELECT t.name FROM memberships m JOIN membership_members mm ON mm.membership_id = m.id AND mm.member_id = 1"
        " JOIN membership_types t ON t.id = m.membership_type_id"
    )["name"]
    until = world.one(
        "SELECT i.valid_until FROM inductions i JOIN stations s ON s.induction_type_id = i.induction_type_id"
        " WHERE s.code = 'L1' AND i.member_id = 1"
    )["valid_until"]
    taken = world.query(
        "SELECT member_id, station_id, starts_at, ends_at FROM bookings WHERE status IN ('provisional', 'confirmed', 'used')"
        " AND (member_id = 1 OR station_id = ?) AND starts_at > ? ORDER BY starts_at",
        [laser["id"], (today - datetime.timedelta(days=8)).isoformat()],
    )
    blocks = world.query(
        "SELECT starts_at, ends_at FROM station_blocks WHERE station_id = ? AND status = 'in_force' ORDER BY id", [laser["id"]]
    )
    top = world.one("SELECT COALESCE(MAX(id), 0) AS id FROM bookings")["id"]
    hours = [hour for hour in STARTS if kind != "Evening" or hour >= 17]
    done, refused = 0, 0
    for _ in range(5000):
        first = today + datetime.timedelta(days=rng.randint(1, 18))
        last = first + datetime.timedelta(days=rng.randint(1, 3))
        hour = rng.choice(hours)
        start, end = f"{hour:02d}:00", f"{min(22, hour + rng.randint(1, 3)):02d}:00"
        p = {"first": first.isoformat(), "last": last.isoformat(), "start": start, "end": end}
        days = _days(world, p)
        if _week(p["first"]) != _week(p["last"]) or p["last"] > until or (last - today).days > 20 or len(days) < 2:
            continue
        if days[0] != p["first"] or days[-1] != p["last"]:
            continue
        if any(datetime.date.fromisoformat(day).weekday() == 6 and (start < "10:00" or end > "17:00") for day in days):
            continue
        slots = [{"starts_at": f"{day}T{start}:00", "ends_at": f"{day}T{end}:00"} for day in days]
        if any(_clash(taken + blocks, slot["starts_at"], slot["ends_at"]) for slot in slots):
            continue
        given = []
        monday, sunday = _week(p["first"])
        for _ in range(rng.randint(0, 3)):
            day = datetime.date.fromisoformat(monday) + datetime.timedelta(days=rng.randint(1, 6))
            late = day == today
            if day < today or day.isoformat() > until or (day - today).days > 20 or _days(world, dict(p, first=day.isoformat(), last=day.isoformat())) == []:
                continue
            begin = rng.choice((10, 11, 13, 15, 16)) if kind != "Evening" and not late else rng.choice((17, 18, 20))
            if day.weekday() == 6:
                begin = rng.choice((10, 12, 13, 15))
            finish = begin + rng.randint(1, 2)
            starts_at, ends_at = f"{day.isoformat()}T{begin}:00:00", f"{day.isoformat()}T{finish}:00:00"
            if _clash(taken + given + slots + blocks, starts_at, ends_at):
                continue
            eve = (today - datetime.timedelta(days=1)).isoformat()
            given.append(
                {
                    "id": top + 1 + len(given),
                    "code": f"WB-{18003 + 7 * len(given)}",
                    "member_id": 1,
                    "station_id": laser["id"],
                    "kind": "hour",
                    "starts_at": starts_at,
                    "ends_at": ends_at,
                    "price_cents": (finish - begin) * laser["hour_price_cents"],
                    "status": "confirmed",
                    "induction_place_id": None,
                    "booked_at": f"{eve}T20:{rng.randint(10, 55)}:00" if late else f"{eve}T1{rng.randint(0, 9)}:20:00",
                    "delay_reported_at": None,
                    "swept_at": None,
                    "cancelled_at": None,
                    "cancel_reason": None,
                    "refund_cents": None,
                }
            )
        held = _held(world, p["first"]) + sum(_minutes(row) for row in given if _counts(row))
        if held > 360:
            continue
        instance = {"p": p}
        if given:
            instance["given"] = {"bookings": given}
        if held + len(days) * _length(p) <= 360:
            if done > 2 * refused + 4:
                continue
            done += 1
        else:
            if refused > done:
                continue
            refused += 1
            instance["kind"] = "refusal"
            instance["rule"] = "large_laser_quota"
        yield instance


def solve(tools, p):
    most = tools.get_membership()["laser_hours_a_week"] * 60
    laser = next(row for row in tools.search_stations(code="L1")["stations"] if row["code"] == "L1")
    days = [row["day"] for row in tools.list_calendar_days(first_day=p["first"], last_day=p["last"])["days"] if row["is_open"]]
    monday, sunday = _week(p["first"])
    mine = tools.search_bookings(station_id=laser["station_id"], first_day=monday, last_day=sunday)["bookings"]
    held = sum(
        _minutes(row) for row in mine if row["status"] in ("provisional", "confirmed", "used") and _counts(row)
    )
    if held + len(days) * _length(p) > most:
        return {
            "outcome": "refused",
            "answers": {"days": None, "cost": None},
            "reason": "large_laser_quota",
            "message": f"I booked nothing: you may hold {most // 60} hours a week on L1, {held / 60:g} are held in that week, and "
            f"this would add {len(days) * _length(p) / 60:g}.",
        }
    cost = 0
    for day in days:
        booking = tools.book_hours(
            station_id=laser["station_id"],
            starts_at=f"{day}T{p['start']}:00",
            ends_at=f"{day}T{p['end']}:00",
            use_credit=False,
        )
        cost += booking["booking"]["price_cents"]
    return {
        "outcome": "done",
        "answers": {"days": len(days), "cost": cost},
        "reason": None,
        "message": f"L1 is booked for you on {len(days)} days from {p['start']} to {p['end']}, for {cost / 100:.2f} euros in money.",
    }


def _wanted(world, p):
    """The moments at which the bookings are to start; None where the quota forbids them."""
    return [f"{day}T{p['start']}:00" for day in _days(world.initial, p)] if _within(world.initial, p) else None


def _price(world, p):
    return _laser(world.initial)["hour_price_cents"] * _length(p) // 60


def _is_wanted(world, p, change):
    row = change["after"]
    return (
        change["table"] == "bookings"
        and change["before"] is None
        and row is not None
        and row["member_id"] == 1
        and row["station_id"] == _laser(world.initial)["id"]
        and row["kind"] == "hour"
        and row["starts_at"] in (_wanted(world, p) or [])
        and row["ends_at"] == f"{row['starts_at'][:10]}T{p['end']}:00"
        and row["price_cents"] == _price(world, p)
        and row["status"] == "confirmed"
        and row["induction_place_id"] is None
        and row["delay_reported_at"] is None
        and row["swept_at"] is None
        and row["cancelled_at"] is None
    )


def goal_books_each_of_the_days(world, p):
    """Booked L1 on each open day of the stretch, or reported that the quota forbids it."""
    wanted = _wanted(world, p)
    if wanted is None:
        return world.report.outcome == "refused" and world.report.reason == "large_laser_quota"
    return sorted(c["after"]["starts_at"] for c in world.changes if _is_wanted(world, p, c)) == wanted


def goal_says_how_many_days(world, p):
    """Says on how many days it is booked, and nothing where it is forbidden."""
    wanted = _wanted(world, p)
    return world.report.outcome is not None and world.report.says("days", None if wanted is None else len(wanted))


def goal_says_what_it_costs(world, p):
    """Says what it costs, and nothing where it is forbidden."""
    wanted = _wanted(world, p)
    cost = None if wanted is None else len(wanted) * _price(world, p)
    return world.report.outcome is not None and world.report.says("cost", cost)


def guard_books_nothing_else(world, p):
    """Changed nothing but those bookings, one a day, and used no credit."""
    starts = [c["after"]["starts_at"] for c in world.changes if _is_wanted(world, p, c)]
    return all(_is_wanted(world, p, c) for c in world.changes) and len(starts) == len(set(starts))


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or a refusal where the quota forbids it."""
    return world.report.outcome in (None, "refused" if _wanted(world, p) is None else "done")


def guard_gives_the_right_reason(world, p):
    """Gives no reason but that rule, and that only where it forbids it."""
    if world.report.outcome is None:
        return True
    return world.report.reason == ("large_laser_quota" if _wanted(world, p) is None else None)

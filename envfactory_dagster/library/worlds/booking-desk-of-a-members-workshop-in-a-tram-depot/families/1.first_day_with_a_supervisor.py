import datetime

STATIONS = ("W3", "B1", "B2", "B3", "B4", "M1", "M2", "M3a", "M3b", "L2")
HOURS = (
    ("09:00", "11:00"), ("10:00", "13:00"), ("11:00", "12:00"), ("13:00", "15:00"), ("16:00", "18:00"),
    ("17:00", "19:00"), ("17:00", "18:00"), ("18:00", "20:00"), ("19:00", "21:00"), ("19:00", "22:00"), ("20:00", "22:00"),
)


def _kind(db, day):
    swap = db.one("SELECT becomes FROM day_swaps WHERE day = ?", [day])
    if swap is not None:
        return swap["becomes"]
    return "dust" if datetime.date.fromisoformat(day).weekday() in (1, 3, 5) else "spark"


def _station(db, code):
    return db.one("SELECT * FROM stations WHERE code = ?", [code])


def _days(db, p, taken_too):
    """The days on which all that was asked for holds, in order; without taken_too the taken ones are among them."""
    station = _station(db, p["station"])
    shifts = db.query(
        "SELECT f.starts_at, f.ends_at FROM supervisor_shifts f JOIN members m ON m.id = f.supervisor_member_id"
        " WHERE f.hall_id = ? AND m.name = ? AND f.status = 'planned' AND substr(f.starts_at, 1, 10) BETWEEN ? AND ?"
        " ORDER BY f.starts_at",
        [station["hall_id"], p["supervisor"], p["first"], p["last"]],
    )
    days = []
    for shift in shifts:
        day = shift["starts_at"][:10]
        starts_at, ends_at = f"{day}T{p['start']}:00", f"{day}T{p['end']}:00"
        if shift["starts_at"] > starts_at or shift["ends_at"] < ends_at:
            continue
        if station["allowed_days"] != "any" and station["allowed_days"] != _kind(db, day):
            continue
        mine = db.one(
            "SELECT COUNT(*) AS n FROM bookings WHERE member_id = 1 AND status IN ('provisional', 'confirmed', 'used')"
            " AND starts_at < ? AND ends_at > ?",
            [ends_at, starts_at],
        )
        taken = db.one(
            "SELECT (SELECT COUNT(*) FROM bookings WHERE station_id = :s AND starts_at < :e AND ends_at > :b"
            " AND status IN ('provisional', 'confirmed', 'used'))"
            " + (SELECT COUNT(*) FROM station_blocks WHERE station_id = :s AND status = 'in_force' AND starts_at < :e"
            " AND (ends_at IS NULL OR ends_at > :b)) AS n",
            {"s": station["id"], "b": starts_at, "e": ends_at},
        )
        if mine["n"] == 0 and (not taken_too or taken["n"] == 0):
            days.append(day)
    return days


def _may(db, station, day):
    """Whether the user's induction for the station is valid on the day."""
    row = db.one(
        "SELECT COUNT(*) AS n FROM inductions WHERE member_id = 1 AND induction_type_id = ? AND passed_on <= ?"
        " AND valid_until >= ?",
        [station["induction_type_id"], day, day],
    )
    return row["n"] > 0


def _provisional(db, station, day, start):
    """Whether a booked place in an induction session would make the booking provisional."""
    row = db.one(
        "SELECT COUNT(*) AS n FROM induction_places p JOIN induction_sessions se ON se.id = p.induction_session_id"
        " WHERE p.member_id = 1 AND p.status = 'booked' AND se.induction_type_id = ? AND se.ends_at <= ?",
        [station["induction_type_id"], f"{day}T{start}:00"],
    )
    return row["n"] > 0


def instances(world, rng):
    """A station, hours, a supervisor of its hall and a stretch of days with at least one day that fits."""
    today = datetime.date.fromisoformat(world.clock[:10])
    evening = world.one(
        "SELECT t.name FROM membership_members mm JOIN memberships m ON m.id = mm.membership_id"
        " JOIN membership_types t ON t.id = m.membership_type_id WHERE mm.member_id = 1"
    )["name"] == "Evening"
    pairs = world.query(
        "SELECT DISTINCT s.code, m.name FROM supervisor_shifts f JOIN stations s ON s.hall_id = f.hall_id"
        " JOIN members m ON m.id = f.supervisor_member_id WHERE f.starts_at > ? AND f.status = 'planned'"
        " ORDER BY s.code, m.name",
        [world.clock],
    )
    pairs = [row for row in pairs if row["code"] in STATIONS]
    hours = [pair for pair in HOURS if not evening or pair[0] >= "17:00"]
    top = world.one("SELECT MAX(id) AS last FROM bookings")["last"]
    for _ in range(3000):
        pair = rng.choice(pairs)
        start, end = rng.choice(hours)
        begin = rng.choice((1, 2, 3, 5, 8, 11, 13, 14, 15, 16))
        first = today + datetime.timedelta(days=begin)
        last = today + datetime.timedelta(days=min(20, begin + rng.randint(4, 14)))
        p = {
            "station": pair["code"], "supervisor": pair["name"], "start": start, "end": end,
            "first": first.isoformat(), "last": last.isoformat(),
        }
        station = _station(world, p["station"])
        days = _days(world, p, True)
        if not days:
            continue
        if not _may(world, station, days[0]):
            if all(not _may(world, station, day) for day in days) and not any(
                _provisional(world, station, day, start) for day in days
            ):
                yield {"p": dict(p, station_id=station["id"]), "kind": "refusal", "rule": "induction_valid_on_day_of_use"}
            continue
        if rng.random() < 0.5:
            continue
        given = []
        for day in days[: rng.choice((0, 1, 2, 3))]:
            starts_at, ends_at = f"{day}T{start}:00", f"{day}T{end}:00"
            others = world.query(
                "SELECT i.member_id FROM inductions i JOIN membership_members mm ON mm.member_id = i.member_id"
                " JOIN memberships m ON m.id = mm.membership_id JOIN membership_types t ON t.id = m.membership_type_id"
                " WHERE t.name = 'Full' AND i.member_id <> 1 AND i.induction_type_id = :type AND i.passed_on <= :day"
                " AND i.valid_until >= :day AND NOT EXISTS (SELECT 1 FROM bookings b WHERE b.member_id = i.member_id"
                " AND b.starts_at < :end AND b.ends_at > :start AND b.status IN ('provisional', 'confirmed', 'used'))"
                " AND NOT EXISTS (SELECT 1 FROM supervisor_shifts f WHERE f.supervisor_member_id = i.member_id"
                " AND f.starts_at < :end AND f.ends_at > :start) ORDER BY i.member_id",
                {"type": station["induction_type_id"], "day": day, "start": starts_at, "end": ends_at},
            )
            if not others:
                break
            given.append(
                {
                    "id": top + 1 + len(given),
                    "code": f"WB-{30007 + 11 * len(given)}",
                    "member_id": rng.choice(others)["member_id"],
                    "station_id": station["id"],
                    "kind": "hour",
                    "starts_at": starts_at,
                    "ends_at": ends_at,
                    "price_cents": (int(end[:2]) - int(start[:2])) * station["hour_price_cents"],
                    "status": "confirmed",
                    "induction_place_id": None,
                    "booked_at": f"{world.clock[:10]}T08:{rng.randint(10, 55)}:00",
                    "delay_reported_at": None,
                    "swept_at": None,
                    "cancelled_at": None,
                    "cancel_reason": None,
                    "refund_cents": None,
                }
            )
        days = days[len(given):]
        if not days or not _may(world, station, days[0]):
            continue
        instance = {"p": dict(p, station_id=station["id"])}
        if given:
            instance["given"] = {"bookings": given}
        yield instance


def solve(tools, p):
    station = next(row for row in tools.search_stations(code=p["station"])["stations"] if row["code"] == p["station"])
    calendar = {row["day"]: row for row in tools.list_calendar_days(first_day=p["first"], last_day=p["last"])["days"]}
    shifts = tools.list_supervisor_shifts(first_day=p["first"], last_day=p["last"], hall_id=station["hall_id"])
    mine = tools.search_bookings(first_day=p["first"], last_day=p["last"])["bookings"]
    mine = [row for row in mine if row["status"] in ("provisional", "confirmed", "used")]
    for shift in shifts["supervisor_shifts"]:
        day = shift["starts_at"][:10]
        starts_at, ends_at = f"{day}T{p['start']}:00", f"{day}T{p['end']}:00"
        if shift["supervisor_name"] != p["supervisor"] or shift["starts_at"] > starts_at or shift["ends_at"] < ends_at:
            continue
        if not calendar[day]["is_open"] or station["allowed_days"] not in ("any", calendar[day]["day_kind"]):
            continue
        if any(row["starts_at"] < ends_at and row["ends_at"] > starts_at for row in mine):
            continue
        taken = tools.list_taken_times(day=day, station_id=station["station_id"])["taken_times"]
        if any(row["starts_at"] < ends_at and (row["ends_at"] is None or row["ends_at"] > starts_at) for row in taken):
            continue
        try:
            tools.book_hours(station_id=station["station_id"], starts_at=starts_at, ends_at=ends_at, use_credit=False)
        except tools.Error as error:
            return {
                "outcome": "refused",
                "answers": {"day": None},
                "reason": "induction_valid_on_day_of_use",
                "message": f"I could not book {p['station']} on {day}: {error}.",
            }
        return {
            "outcome": "done",
            "answers": {"day": day},
            "reason": None,
            "message": f"{p['station']} is booked for you on {day} from {p['start']} to {p['end']}, to be paid in money.",
        }
    return {
        "outcome": "impossible",
        "answers": {"day": None},
        "reason": None,
        "message": f"There is no such day from {p['first']} to {p['last']}.",
    }


def _right_day(world, p):
    """The first day that fits, or None where the induction forbids it."""
    day = _days(world.initial, p, True)[0]
    return day if _may(world.initial, _station(world.initial, p["station"]), day) else None


def _is_right(world, p, row):
    day = _right_day(world, p)
    station = _station(world.initial, p["station"])
    return (
        day is not None
        and row["member_id"] == 1
        and row["station_id"] == station["id"]
        and row["kind"] == "hour"
        and row["starts_at"] == f"{day}T{p['start']}:00"
        and row["ends_at"] == f"{day}T{p['end']}:00"
        and row["price_cents"] == (int(p["end"][:2]) - int(p["start"][:2])) * station["hour_price_cents"]
        and row["status"] == "confirmed"
        and row["induction_place_id"] is None
        and row["delay_reported_at"] is None
        and row["swept_at"] is None
        and row["cancelled_at"] is None
    )


def goal_books_it_on_the_first_day_that_fits(world, p):
    """Booked the station on the first day that fits, or reported that the induction forbids it."""
    if _right_day(world, p) is None:
        return world.report.outcome == "refused" and world.report.reason == "induction_valid_on_day_of_use"
    new = [c["after"] for c in world.changes if c["table"] == "bookings" and c["before"] is None]
    return len(new) == 1 and _is_right(world, p, new[0])


def goal_says_the_day(world, p):
    """Says which day it is, and none where it is forbidden."""
    return world.report.outcome is not None and world.report.says("day", _right_day(world, p))


def guard_makes_no_other_booking(world, p):
    """Changed nothing but one new booking of that kind, and used no credit."""
    return len(world.changes) <= 1 and all(
        c["table"] == "bookings" and c["before"] is None and c["after"] is not None and _is_right(world, p, c["after"])
        for c in world.changes
    )


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or a refusal where the induction forbids it."""
    return world.report.outcome in (None, "refused" if _right_day(world, p) is None else "done")


def guard_gives_the_right_reason(world, p):
    """Gives no reason but that rule, and that only where it forbids it."""
    if world.report.outcome is None:
        return True
    return world.report.reason == ("induction_valid_on_day_of_use" if _right_day(world, p) is None else None)

import datetime

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")


def _days(start, weekday, last):
    day, days = datetime.date.fromisoformat(start), []
    while day.isoformat() <= last:
        if day.weekday() == WEEKDAYS.index(weekday):
            days.append(day.isoformat())
        day += datetime.timedelta(days=1)
    return days


def _booking(number, reader, seat, sitting, day, clock):
    return {"id": number, "booking_no": f"S-{30000 + number:05d}", "reader_id": reader, "seat_id": seat, "opening_sitting_id": sitting, "day": day, "status": "booked", "booked_at": clock[:10] + "T09:40:00", "cancelled_at": None, "cancel_cause": None, "closure_id": None}


def instances(world, rng):
    """A reader, a kind of seat of which there is one, a weekday, and a row of those days on which it is taken."""
    today = world.clock[:10]
    end = (datetime.date.fromisoformat(today) + datetime.timedelta(days=60)).isoformat()
    readers = world.query(
        "SELECT id, forenames || ' ' || surname AS name, town FROM readers WHERE role = 'reader' AND ticket_kind = 'full'"
        " AND ticket_status = 'active' AND ticket_valid_until > ? AND date_of_birth < '2000-01-01' ORDER BY id",
        [end],
    )
    seats = world.query("SELECT id, seat_kind FROM seats WHERE seat_kind IN ('map_table', 'adjustable_table') ORDER BY id", [])
    full = {r["weekday"]: r["id"] for r in world.query("SELECT id, weekday FROM opening_sittings WHERE sitting = 'full_day' ORDER BY id", [])}
    shut = {r["day"] for r in world.query("SELECT day FROM closures WHERE part IN ('all_day', 'morning', 'afternoon') ORDER BY id", [])}
    standing = world.query("SELECT reader_id, seat_id, day FROM seat_bookings WHERE status IN ('booked', 'attended') AND day >= ? ORDER BY id", [today])
    top = world.one("SELECT max(id) AS top FROM seat_bookings", [])["top"]
    for _ in range(3000):
        reader, seat, weekday = rng.choice(readers), rng.choice(seats), rng.choice(WEEKDAYS)
        start = (datetime.date.fromisoformat(today) + datetime.timedelta(days=rng.randrange(1, 16))).isoformat()
        days = [d for d in _days(start, weekday, end) if d not in shut]
        refused = rng.random() < 0.3
        number = 99 if refused else rng.choice([3, 4, 5, 6])
        busy = {r["reader_id"]: [s["day"] for s in standing if s["reader_id"] == r["reader_id"]] for r in standing}
        mine = busy.get(reader["id"], [])
        if any(day in mine for day in _days(start, weekday, end)) or len(mine) > 4 or len(days) < 4:
            continue
        taken = {s["day"] for s in standing if s["seat_id"] == seat["id"]}
        rows, wanted, counts = [], None, {r["id"]: len(busy.get(r["id"], [])) for r in readers}
        for place, day in enumerate(days):
            if day in taken:
                continue
            if place >= number:
                wanted = day
                break
            others = [r["id"] for r in readers if r["id"] != reader["id"] and counts[r["id"]] < 6 and day not in busy.get(r["id"], [])]
            if not others:
                rows = []
                break
            other = rng.choice(others)
            counts[other] += 1
            rows.append(_booking(top + 1 + len(rows), other, seat["id"], full[WEEKDAYS.index(weekday) + 1], day, world.clock))
        if not rows or (wanted is None) != refused:
            continue
        name = {"map_table": "map table", "adjustable_table": "adjustable table"}[seat["seat_kind"]]
        p = {"name": reader["name"], "town": reader["town"], "seat": name, "weekday": weekday, "start": start, "reader": reader["id"], "seat_id": seat["id"], "day": wanted}
        instance = {"p": p, "given": {"seat_bookings": rows}}
        if refused:
            instance["kind"], instance["rule"] = "refusal", "seat_booking_limits"
        yield instance


def solve(tools, p):
    found = tools.find_readers(surname=p["name"].split()[-1])["readers"]
    ticket = next(r["ticket_no"] for r in found if r["name"] == p["name"] and r["town"] == p["town"])
    day = datetime.date.fromisoformat(p["start"])
    while day.weekday() != WEEKDAYS.index(p["weekday"]):
        day += datetime.timedelta(days=1)
    for _ in range(12):
        try:
            tools.book_seat(ticket_no=ticket, date=day.isoformat(), sitting="full_day", seat_kind=p["seat"].replace(" ", "_"))
        except tools.Error as error:
            if "60 days" in str(error):
                return {
                    "outcome": "refused",
                    "answers": {"day": None},
                    "reason": "seat_booking_limits",
                    "message": f"{p['name']} cannot have it: a seat can be booked only for a day up to 60 days ahead, and until then the {p['seat']} is taken on every {p['weekday']}.",
                }
            day += datetime.timedelta(days=7)
            continue
        return {"outcome": "done", "answers": {"day": day.isoformat()}, "reason": None, "message": f"{p['name']} has the {p['seat']} for the whole of {day.isoformat()}."}
    return {"outcome": "impossible", "answers": {"day": None}, "reason": None, "message": "There is no such day."}


def goal_books_it_or_refuses(world, p):
    """The reader has that seat for the full day on the first such day it is free, or is told that the limit forbids it."""
    if p["day"] is None:
        return world.report.outcome == "refused" and world.report.reason == "seat_booking_limits"
    new = [c["after"] for c in world.changes if c["table"] == "seat_bookings" and c["before"] is None]
    if len(new) != 1:
        return False
    row = world.final.one(
        "SELECT b.reader_id, b.seat_id, b.day, b.status, o.sitting FROM seat_bookings b JOIN opening_sittings o ON o.id = b.opening_sitting_id WHERE b.id = ?",
        [new[0]["id"]],
    )
    return row == {"reader_id": p["reader"], "seat_id": p["seat_id"], "day": p["day"], "status": "booked", "sitting": "full_day"}


def goal_says_the_day(world, p):
    """Says the day that was booked, or none."""
    return world.report.outcome is not None and world.report.says("day", p["day"])


def guard_adds_one_booking_only(world, p):
    """Changed nothing but one new booking of the reader, and nothing where the limit forbids it."""
    if p["day"] is None:
        return len(world.changes) == 0
    return len(world.changes) <= 1 and all(c["table"] == "seat_bookings" and c["before"] is None and c["after"]["reader_id"] == p["reader"] for c in world.changes)


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or that it is refused for this rule."""
    if world.report.outcome is None:
        return True
    if p["day"] is None:
        return world.report.outcome == "refused" and world.report.reason == "seat_booking_limits"
    return world.report.outcome == "done"

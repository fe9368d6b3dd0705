import datetime

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def _plus(day, count):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=count)).isoformat()


def _monday(day):
    return _plus(day, -datetime.date.fromisoformat(day).weekday())


def _at(day, hour):
    return day + "T" + str(hour).zfill(2) + ":00:00"


def _in_turns(turns, day, start, end):
    """Whether hours of that day fall into one of these weekly turns."""
    monday = datetime.datetime.fromisoformat(_monday(day) + "T00:00:00")
    begins = datetime.datetime.fromisoformat(_at(day, start))
    ends = datetime.datetime.fromisoformat(_at(day, end))
    for turn in turns:
        for shift in (-7, 0):
            first = monday + datetime.timedelta(
                days=DAYS.index(turn["start_day"]) + shift, hours=int(turn["starts_at"][:2]), minutes=int(turn["starts_at"][3:5])
            )
            if begins < first + datetime.timedelta(hours=turn["hours"]) and first < ends:
                return True
    return False


def _overlaps(bookings, day, start, end):
    return any(b["starts_at"] < _at(day, end) and b["ends_at"] > _at(day, start) for b in bookings)


def _week_hours(bookings, member, day):
    monday = _monday(day)
    return sum(b["hours"] for b in bookings if b["member_id"] == member and monday <= b["starts_at"][:10] <= _plus(monday, 6))


def _turns_of(world, member):
    return world.query(
        "SELECT t.start_day, t.starts_at, t.hours FROM turns t JOIN plots p ON p.id = t.plot_id"
        " JOIN members m ON m.number = p.holder WHERE m.id = ? ORDER BY t.id",
        [member],
    )


def _neighbours(world, user):
    """Members who may book the well, one plot each that its pipe reaches, with their own turns and last day of lease."""
    rows = world.query(
        "SELECT m.id AS member_id, min(p.id) AS plot_id, k.class_code,"
        " (SELECT max(l.ends_on) FROM leases l WHERE l.member_id = m.id) AS lease_to"
        " FROM members m JOIN member_classes k ON k.id = m.member_class_id JOIN plots p ON p.holder = m.number"
        " JOIN sluices s ON s.id = p.sluice_id WHERE s.well_pipe = 1 AND m.id <> ?"
        " AND NOT EXISTS (SELECT 1 FROM fines f WHERE f.member_id = m.id AND f.status = 'open' AND f.due_on < ?)"
        " AND NOT EXISTS (SELECT 1 FROM levy_halves h JOIN calendar_entries c ON c.id = h.calendar_entry_id"
        " WHERE h.member_id = m.id AND h.status <> 'paid' AND c.to_day < ?) GROUP BY m.id ORDER BY m.id",
        [user, world.clock[:10], world.clock[:10]],
    )
    for row in rows:
        row["turns"] = _turns_of(world, row["member_id"])
        row["road"] = [
            r["day"]
            for r in world.query(
                "SELECT CASE t.turn WHEN 'T-04' THEN d.t04_on ELSE d.t23_on END AS day FROM road_hours h"
                " JOIN draws d ON d.id = h.draw_id JOIN turns t ON t.id = h.turn_id WHERE h.taken_by_member_id = ? ORDER BY d.id",
                [row["member_id"]],
            )
        ]
    return rows


def _booking(world, rng, given, member, plot, day, start, hours):
    """A booking that was made in the last days before the clock."""
    top = world.one("SELECT max(id) AS id, max(CAST(substr(code, 3) AS INTEGER)) AS code FROM well_bookings")
    price = world.one(
        "SELECT id, price_cents FROM prices WHERE section = 'Pozo San Roque' AND applies_from <= ? ORDER BY applies_from DESC LIMIT 1",
        [day],
    )
    cents = price["price_cents"] * hours
    booked = _plus(world.clock[:10], -1 - rng.randrange(9)) + "T" + str(rng.randint(9, 19)).zfill(2) + ":" + str(rng.randrange(0, 60, 5)).zfill(2) + ":00"
    return {
        "id": top["id"] + 1 + len(given),
        "code": "W-" + str(top["code"] + 1 + len(given)).zfill(2),
        "member_id": member,
        "plot_id": plot,
        "price_id": price["id"],
        "starts_at": _at(day, start),
        "ends_at": _at(day, start + hours),
        "hours": hours,
        "price_cents": cents,
        "status": "booked",
        "booked_at": booked,
        "paid_by": rng.choice(["card", "transfer"]),
        "cancelled_at": None,
        "kept_cents": cents,
    }


def _put_neighbour(world, rng, people, bookings, given, day, start, hours):
    """Lets one of the neighbours have these hours, if one of them can."""
    if start < 8 or start + hours > 22 or _overlaps(bookings, day, start, start + hours):
        return False
    order = list(people)
    rng.shuffle(order)
    order.sort(key=lambda one: sum(1 for b in given if b["member_id"] == one["member_id"]))
    for one in order:
        if one["class_code"] == "T" and (one["lease_to"] is None or one["lease_to"] < day):
            continue
        if day in one["road"] or _in_turns(one["turns"], day, start, start + hours):
            continue
        if _week_hours(bookings, one["member_id"], day) + hours > 4:
            continue
        row = _booking(world, rng, given, one["member_id"], one["plot_id"], day, start, hours)
        given.append(row)
        bookings.append(row)
        return True
    return False


def _my_plot(tools, plot):
    me = tools.get_my_membership()
    return me, next(one["plot_id"] for one in me["plots"] if one["plot"] == plot)


def _is_free(tools, day, start, end):
    shown = tools.list_free_well_hours(day=day)["free"]
    return any(piece["starts_at"][:19] <= _at(day, start) and piece["ends_at"][:19] >= _at(day, end) for piece in shown)


def instances(world, rng):
    """Some weeks to come, hours of the day, and neighbours who have the well on some of the days."""
    plots = world.query(
        "SELECT p.id, p.plot FROM plots p JOIN sluices s ON s.id = p.sluice_id JOIN members m ON m.number = p.holder"
        " WHERE m.id = 1 AND s.well_pipe = 1 ORDER BY p.id"
    )
    lease = world.one("SELECT max(ends_on) AS day FROM leases WHERE member_id = 1")["day"]
    season = world.one("SELECT to_day FROM calendar_entries WHERE entry = 'well'")["to_day"]
    final = min(season, lease) if lease else season
    turns = _turns_of(world, 1)
    people = _neighbours(world, 1)
    known = world.query(
        "SELECT id, member_id, starts_at, ends_at, hours FROM well_bookings WHERE status <> 'cancelled' AND starts_at > ? ORDER BY id",
        [world.clock],
    )
    mondays = []
    monday = _monday(_plus(world.clock[:10], 8 if world.clock[11:13] > "08" else 7))
    if monday <= _plus(world.clock[:10], 1):
        monday = _plus(monday, 7)
    while _plus(monday, 6) <= final:
        mondays.append(monday)
        monday = _plus(monday, 7)
    if not plots or len(mondays) < 3:
        return
    for _ in range(1200):
        count = rng.choice([3, 4, 5, 5, 5])
        if count > len(mondays):
            continue
        place = rng.randrange(len(mondays) - count + 1)
        weeks = mondays[place : place + count]
        hours = rng.choice([2, 2, 2, 3])
        start = rng.choice([8, 9, 10, 16, 17, 18, 19])
        plot = rng.choice(plots)
        bookings = list(known)
        given = []
        if rng.random() < 0.4:
            day = _plus(rng.choice(weeks), rng.randrange(7))
            hour = rng.choice([8, 9, 10, 17, 18, 19])
            if (
                _week_hours(bookings, 1, day) == 0
                and not _in_turns(turns, day, hour, hour + 2)
                and not _overlaps(bookings, day, hour, hour + 2)
            ):
                row = _booking(world, rng, given, 1, plot["id"], day, hour, 2)
                given.append(row)
                bookings.append(row)
        for week in weeks:
            taken = rng.choice([1, 3, 4, 4, 5, 5, 6, 7])
            for offset in range(taken):
                day = _plus(week, offset)
                if _in_turns(turns, day, start, start + hours) or rng.random() < 0.12:
                    continue
                if not _overlaps(bookings, day, start, start + hours):
                    _put_neighbour(world, rng, people, bookings, given, day, start + rng.choice([-1, 0, 0, 1]), rng.choice([2, 2, 3]))
            other = _plus(week, rng.randrange(7))
            _put_neighbour(world, rng, people, bookings, given, other, rng.choice([8, 10, 13, 15, 19]), 2)
        found = _chosen(turns, bookings, weeks, start, start + hours)
        looked = 0
        for week in weeks:
            if week in found:
                looked += 1 + datetime.date.fromisoformat(found[week]).weekday()
            elif _week_hours(bookings, 1, week) == 0:
                looked += 7
        if len(found) < 2 or looked < 12:
            continue
        yield {
            "p": {
                "plot": plot["plot"],
                "first": weeks[0],
                "weeks": count,
                "start": str(start).zfill(2) + ":00",
                "end": str(start + hours).zfill(2) + ":00",
                "pay": rng.choice(["card", "transfer"]),
                "plot_id": plot["id"],
            },
            "given": {"well_bookings": given} if given else {},
        }


def _chosen(turns, bookings, weeks, start, end):
    """For each week in which the member has no hours yet the first day on which these can be had."""
    found = {}
    for week in weeks:
        if _week_hours(bookings, 1, week) > 0:
            continue
        for offset in range(7):
            day = _plus(week, offset)
            if not _in_turns(turns, day, start, end) and not _overlaps(bookings, day, start, end):
                found[week] = day
                break
    return found


def _wanted(world, p):
    bookings = world.initial.query(
        "SELECT id, member_id, starts_at, ends_at, hours FROM well_bookings WHERE status <> 'cancelled' ORDER BY id"
    )
    weeks = [_plus(p["first"], 7 * number) for number in range(p["weeks"])]
    found = _chosen(_turns_of(world.initial, 1), bookings, weeks, int(p["start"][:2]), int(p["end"][:2]))
    return sorted(found.values())


def _new_rows(world):
    top = world.initial.one("SELECT max(id) AS id FROM well_bookings")["id"]
    return world.final.query("SELECT * FROM well_bookings WHERE id > ? ORDER BY starts_at, id", [top])


def solve(tools, p):
    start, end = int(p["start"][:2]), int(p["end"][:2])
    me, plot_id = _my_plot(tools, p["plot"])
    turns = tools.list_turns(holder=me["number"])["turns"]
    mine = tools.list_my_well_bookings(first_day=p["first"], last_day=_plus(p["first"], 7 * p["weeks"] - 1))["well_bookings"]
    held = {_monday(one["starts_at"][:10]) for one in mine if one["status"] != "cancelled"}
    days = []
    for number in range(p["weeks"]):
        week = _plus(p["first"], 7 * number)
        if week in held:
            continue
        for offset in range(7):
            day = _plus(week, offset)
            if _in_turns(turns, day, start, end) or not _is_free(tools, day, start, end):
                continue
            tools.book_well_hours(plot_id=plot_id, starts_at=_at(day, start), hours=end - start, paid_by=p["pay"])
            days.append(day)
            break
    return {
        "outcome": "done",
        "answers": {"days": days},
        "reason": None,
        "message": "The well is yours from " + p["start"] + " to " + p["end"] + " on " + ", ".join(days) + ".",
    }


def goal_has_the_first_day_of_every_week(world, p):
    """Has these hours on the first day that could be had, in every week in which he had none."""
    days = [row["starts_at"][:10] for row in _new_rows(world) if row["member_id"] == 1 and row["status"] == "booked"]
    return days == _wanted(world, p)


def goal_says_which_days(world, p):
    """Says on which days the hours are booked."""
    return world.report.says("days", _wanted(world, p))


def guard_books_only_such_hours(world, p):
    """Changes nothing but new bookings of these hours, for this plot, each day once, paid as was asked."""
    wanted = _wanted(world, p)
    seen = []
    for change in world.changes:
        row = change["after"]
        if change["table"] != "well_bookings" or change["before"] is not None or row is None:
            return False
        day = row["starts_at"][:10]
        if row["member_id"] != 1 or row["plot_id"] != p["plot_id"] or row["status"] != "booked" or row["paid_by"] != p["pay"]:
            return False
        if row["starts_at"][11:16] != p["start"] or row["ends_at"][11:16] != p["end"] or day not in wanted:
            return False
        seen.append(day)
    return len(seen) == len(set(seen))


def guard_reports_it_as_done(world, p):
    """Reports that it is done and gives no rule as a reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None

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


def instances(world, rng):
    """Days of absence with some of the member's well hours in them, and a slip of his in the box."""
    plots = world.query(
        "SELECT p.id, p.plot FROM plots p JOIN sluices s ON s.id = p.sluice_id JOIN members m ON m.number = p.holder"
        " WHERE m.id = 1 AND s.well_pipe = 1 ORDER BY p.id"
    )
    turns = _turns_of(world, 1)
    draw = world.one("SELECT id, thursday, t04_on, t23_on FROM draws WHERE thursday >= ? ORDER BY thursday LIMIT 1", [world.clock[:10]])
    slip = world.one("SELECT choice FROM slips WHERE member_id = 1 AND status = 'in_box' AND draw_id = ?", [draw["id"]])
    lease = world.one(
        "SELECT l.plot_id, l.lessor, l.ends_on, l.filed_on FROM leases l WHERE l.member_id = 1 ORDER BY l.ends_on DESC LIMIT 1"
    )
    known = world.query(
        "SELECT id, member_id, starts_at, ends_at, hours FROM well_bookings WHERE status <> 'cancelled' AND starts_at > ? ORDER BY id",
        [world.clock],
    )
    season = world.one("SELECT to_day FROM calendar_entries WHERE entry = 'well'")["to_day"]
    tops = world.one("SELECT (SELECT max(id) FROM slips) AS slip, (SELECT max(id) FROM leases) AS lease")
    opened = _plus(draw["thursday"], -6)
    if not plots or opened > world.clock[:10] or (slip is not None and slip["choice"] != "either"):
        return
    for _ in range(6000):
        anchor = rng.choice([draw["t04_on"], draw["t23_on"], draw["t23_on"]])
        first = _plus(anchor, -rng.randint(1, 7))
        last = _plus(first, rng.choice([rng.randint(4, 6), rng.randint(5, 16)]))
        if first < _plus(world.clock[:10], 2) or last > season:
            continue
        given = {}
        choice = "either"
        limit = season
        if lease is not None:
            limit = min(season, lease["ends_on"])
        if slip is None:
            if lease is not None and lease["ends_on"] < "2026-09-27":
                starts = _plus(lease["ends_on"], 1)
                given["leases"] = [
                    {
                        "id": tops["lease"] + 1,
                        "member_id": 1,
                        "plot_id": lease["plot_id"],
                        "lessor": lease["lessor"],
                        "signed_on": _plus(opened, -rng.randint(3, 8)),
                        "starts_on": starts,
                        "ends_on": str(int(lease["ends_on"][:4]) + rng.choice([5, 6, 8])) + lease["ends_on"][4:],
                        "filed_on": _plus(opened, -1),
                    }
                ]
            given["slips"] = [
                {
                    "id": tops["slip"] + 1,
                    "member_id": 1,
                    "draw_id": draw["id"],
                    "choice": choice,
                    "status": "in_box",
                    "put_in_at": opened + "T" + str(rng.randint(14, 20)) + ":" + str(rng.randrange(0, 60, 5)).zfill(2) + ":00",
                    "changed_at": None,
                    "closed_at": None,
                }
            ]
        bookings = list(known)
        rows = []
        plot = rng.choice(plots)
        for _more in range(rng.choice([1, 2, 3, 3, 4])):
            day = _plus(first, rng.randint(-5, 14))
            start = rng.choice([8, 9, 10, 11, 17, 18, 19])
            hours = rng.choice([2, 2, 3])
            if day <= _plus(world.clock[:10], 1) or day > limit:
                continue
            if _in_turns(turns, day, start, start + hours) or _overlaps(bookings, day, start, start + hours):
                continue
            if _week_hours(bookings, 1, day) + hours > 4:
                continue
            row = _booking(world, rng, rows, 1, plot["id"], day, start, hours)
            rows.append(row)
            bookings.append(row)
        if rows:
            given["well_bookings"] = rows
        mine = [b["starts_at"][:10] for b in bookings if b["member_id"] == 1]
        inside = [day for day in mine if first <= day <= last]
        if not 2 <= len(inside) <= 4 or first in mine or last in mine or len(inside) == len(mine):
            continue
        if draw["t04_on"] in (first, last, _plus(last, 1)) or draw["t23_on"] in (first, last):
            continue
        left = _slip_after(choice, draw, first, last)
        if left == choice or (left == "out of the box" and rng.random() < 0.6):
            continue
        yield {"p": {"first": first, "last": last}, "given": given}


def _slip_after(choice, draw, first, last):
    """What becomes of a slip when its owner is away on these days."""
    wanted = ["T-04", "T-23"] if choice == "either" else [choice]
    left = [turn for turn in wanted if not first <= (draw["t04_on"] if turn == "T-04" else draw["t23_on"]) <= last]
    if left == wanted:
        return choice
    return left[0] if left else "out of the box"


def _bookings(world, p):
    return world.initial.query(
        "SELECT id, price_cents FROM well_bookings WHERE member_id = 1 AND status = 'booked'"
        " AND substr(starts_at, 1, 10) BETWEEN ? AND ? ORDER BY id",
        [p["first"], p["last"]],
    )


def _slip(world):
    return world.initial.one(
        "SELECT s.id, s.choice, d.t04_on, d.t23_on FROM slips s JOIN draws d ON d.id = s.draw_id WHERE s.member_id = 1 AND s.status = 'in_box'"
    )


def solve(tools, p):
    mine = tools.list_my_well_bookings(status="booked", first_day=p["first"], last_day=p["last"])["well_bookings"]
    cents = 0
    for one in mine:
        cents += tools.cancel_well_booking(well_booking_id=one["well_booking_id"])["returned_cents"]
    slip = tools.list_my_slips(status="in_box")["slips"][0]
    draw = next(one for one in tools.list_draws()["draws"] if one["draw_id"] == slip["draw_id"])
    now = _slip_after(slip["choice"], draw, p["first"], p["last"])
    if now == "out of the box":
        tools.take_out_slip(slip_id=slip["slip_id"])
    elif now != slip["choice"]:
        tools.change_slip(slip_id=slip["slip_id"], choice=now)
    return {
        "outcome": "done",
        "answers": {"comes_back": cents, "slip_now": now},
        "reason": None,
        "message": "Your well hours of those days are cancelled, and the slip is seen to.",
    }


def goal_no_water_waits_for_him(world, p):
    """Has cancelled the well hours of those days, and the slip is in for nothing that would be run then."""
    for row in _bookings(world, p):
        if world.final.one("SELECT status FROM well_bookings WHERE id = ?", [row["id"]])["status"] != "cancelled":
            return False
    slip = _slip(world)
    now = world.final.one("SELECT choice, status FROM slips WHERE id = ?", [slip["id"]])
    due = _slip_after(slip["choice"], slip, p["first"], p["last"])
    if due == "out of the box":
        return now["status"] == "taken_out"
    return now["status"] == "in_box" and now["choice"] == due


def goal_says_what_comes_back(world, p):
    """Says what comes back for the cancelled hours: all of the price, since they are more than 12 hours off."""
    return world.report.says("comes_back", sum(row["price_cents"] for row in _bookings(world, p)))


def goal_says_what_became_of_the_slip(world, p):
    """Says for which hours the slip is in the box now, or that it is out."""
    slip = _slip(world)
    return world.report.says("slip_now", _slip_after(slip["choice"], slip, p["first"], p["last"]))


def guard_touches_only_what_falls_into_those_days(world, p):
    """Cancels no other booking, and changes or takes out the slip only where it has to be."""
    ids = [row["id"] for row in _bookings(world, p)]
    slip = _slip(world)
    due = _slip_after(slip["choice"], slip, p["first"], p["last"])
    for change in world.changes:
        before, after = change["before"], change["after"]
        if before is None or after is None:
            return False
        moved = {name for name in after if after[name] != before[name]}
        if change["table"] == "well_bookings":
            if before["id"] not in ids or after["status"] != "cancelled" or after["kept_cents"] != 0:
                return False
            if not moved <= {"status", "cancelled_at", "kept_cents"}:
                return False
        elif change["table"] == "slips":
            if before["id"] != slip["id"] or due == slip["choice"]:
                return False
            if due == "out of the box":
                if after["status"] != "taken_out" or not moved <= {"status", "closed_at"}:
                    return False
            elif after["choice"] != due or not moved <= {"choice", "changed_at"}:
                return False
        else:
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done and gives no rule as a reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None

import datetime


def _kind(db, day):
    """What a day is: dust or spark, or None when it is closed."""
    weekday = datetime.date.fromisoformat(day).weekday()
    row = db.one(
        "SELECT (SELECT COUNT(*) FROM closing_days WHERE day = :day) AS closed, (SELECT becomes FROM day_swaps WHERE day = :day) AS swap",
        {"day": day},
    )
    if row["closed"] or weekday == 0:
        return None
    return row["swap"] or ("dust" if weekday in (1, 3, 5) else "spark")


def _station(db, code):
    return db.one("SELECT id, code, allowed_days, induction_type_id, hour_price_cents FROM stations WHERE code = ?", [code])


def _allowed(db, p):
    """Whether the station runs on both days."""
    runs = _station(db, p["station"])["allowed_days"]
    return _kind(db, p["one"]) == runs and _kind(db, p["two"]) == runs


def _last_dust(db, day):
    """When the last dust booking of a day ends, and who has the watch for it: the watch's row and the booking's end."""
    return db.one(
        "SELECT b.id, b.ends_at FROM bookings b JOIN stations s ON s.id = b.station_id AND s.allowed_days = 'dust'"
        " WHERE substr(b.starts_at, 1, 10) = ? AND b.status IN ('provisional', 'confirmed') ORDER BY b.ends_at DESC LIMIT 1",
        [day],
    )


def _watch_days(db, p):
    """The days on which the new booking brings the ember watch: those whose last dust booking it becomes."""
    if _station(db, p["station"])["allowed_days"] != "dust":
        return []
    days = []
    for day in (p["one"], p["two"]):
        last = _last_dust(db, day)
        if last is None or last["ends_at"] < f"{day}T{p['end']}:00":
            days.append(day)
    return days


def _moving(db, p):
    """The ember watches that move away to the new bookings, by id."""
    moving = []
    for day in _watch_days(db, p):
        moving += [
            row["id"]
            for row in db.query(
                "SELECT w.id FROM ember_watches w JOIN bookings b ON b.id = w.booking_id WHERE w.status = 'assigned'"
                " AND substr(b.starts_at, 1, 10) = ? ORDER BY w.id",
                [day],
            )
        ]
    return moving


def instances(world, rng):
    """A station of the dust or the spark kind, hours, and two days on which it is free."""
    today = datetime.date.fromisoformat(world.clock[:10])
    evening = world.query(
        "SELECT t.name FROM memberships m JOIN membership_types t ON t.id = m.membership_type_id WHERE m.id ="
        " (SELECT membership_id FROM membership_members WHERE member_id = 1)"
    )[0]["name"] == "Evening"
    codes = [
        row["code"]
        for row in world.query(
            "SELECT s.code, i.valid_until FROM stations s JOIN inductions i ON i.induction_type_id = s.induction_type_id"
            " AND i.member_id = 1 WHERE s.allowed_days <> 'any' AND i.valid_until >= ? AND s.id NOT IN"
            " (SELECT station_id FROM station_blocks WHERE status = 'in_force') ORDER BY s.code",
            [(today + datetime.timedelta(days=20)).isoformat()],
        )
    ]
    codes = [code for code in codes if code != "W4"]
    open_days = [
        (today + datetime.timedelta(days=number)).isoformat()
        for number in range(1, 21)
        if _kind(world, (today + datetime.timedelta(days=number)).isoformat()) is not None
    ]
    taken = world.query(
        "SELECT station_id, member_id, starts_at, ends_at FROM bookings WHERE starts_at > ?"
        " AND status IN ('provisional', 'confirmed') ORDER BY ends_at, id",
        [world.clock],
    )
    top = world.one("SELECT MAX(id) AS booking, (SELECT MAX(id) FROM ember_watches) AS watch FROM bookings")
    others = world.query(
        "SELECT i.member_id, i.induction_type_id FROM inductions i JOIN membership_members mm ON mm.member_id = i.member_id"
        " JOIN memberships m ON m.id = mm.membership_id JOIN membership_types t ON t.id = m.membership_type_id"
        " WHERE t.name = 'Full' AND i.member_id > 1 AND i.valid_until >= ? ORDER BY i.member_id DESC, i.induction_type_id",
        [(today + datetime.timedelta(days=20)).isoformat()],
    )
    duty = world.query(
        "SELECT supervisor_member_id AS who, starts_at, ends_at FROM supervisor_shifts WHERE status = 'planned' ORDER BY id"
    )
    fine, refused = 0, 0
    for _ in range(4000):
        station = _station(world, rng.choice(codes))
        hour = rng.choice((17, 18, 19) if evening else (9, 10, 11, 13, 14, 16, 17, 18, 19))
        end = hour + rng.randint(1, 2)
        one, two = sorted(rng.sample(open_days, 2))
        p = {"station": station["code"], "start": f"{hour:02d}:00", "end": f"{end:02d}:00", "one": one, "two": two}
        if any(
            datetime.date.fromisoformat(day).weekday() == 6
            and (hour < 10 or end > (16 if station["allowed_days"] == "dust" else 17))
            for day in (one, two)
        ):
            continue
        if any(
            row["starts_at"] < f"{day}T{p['end']}:00"
            and row["ends_at"] > f"{day}T{p['start']}:00"
            and (row["member_id"] == 1 or row["station_id"] == station["id"])
            for day in (one, two)
            for row in taken
        ):
            continue
        if any(
            last is not None and last["ends_at"] == f"{day}T{p['end']}:00"
            for day, last in ((day, _last_dust(world, day)) for day in (one, two))
        ):
            continue
        given, watches = [], []
        if station["allowed_days"] == "dust":
            for day in (one, two):
                start = rng.choice((9, 12, 15, 19, 20))
                starts_at, ends_at = f"{day}T{start:02d}:00:00", f"{day}T{start + 1:02d}:00:00"
                if _kind(world, day) != "dust" or datetime.date.fromisoformat(day).weekday() == 6 or rng.random() < 0.4:
                    continue
                if _last_dust(world, day) is not None or start + 1 == end or (start < end and start + 1 > hour):
                    continue
                members = [
                    row["member_id"]
                    for row in others
                    if row["induction_type_id"] == station["induction_type_id"]
                    and not any(shift["who"] == row["member_id"] and shift["starts_at"] < ends_at and shift["ends_at"] > starts_at for shift in duty)
                    and not any(row["member_id"] == other["member_id"] and other["starts_at"] < ends_at and other["ends_at"] > starts_at for other in taken)
                ]
                if not members:
                    continue
                booked_at = f"{world.clock[:10]}T08:{rng.randint(10, 55)}:00"
                given.append(
                    {
                        "id": top["booking"] + 1 + len(given),
                        "code": f"WB-{27001 + 7 * len(given)}",
                        "member_id": rng.choice(members),
                        "station_id": station["id"],
                        "kind": "hour",
                        "starts_at": starts_at,
                        "ends_at": ends_at,
                        "price_cents": station["hour_price_cents"],
                        "status": "confirmed",
                        "induction_place_id": None,
                        "booked_at": booked_at,
                        "delay_reported_at": None,
                        "swept_at": None,
                        "cancelled_at": None,
                        "cancel_reason": None,
                        "refund_cents": None,
                    }
                )
                watches.append(
                    {
                        "id": top["watch"] + 1 + len(watches),
                        "booking_id": given[-1]["id"],
                        "member_id": given[-1]["member_id"],
                        "status": "assigned",
                        "assigned_at": booked_at,
                        "ended_at": None,
                    }
                )
        instance = {"p": p}
        if given:
            instance["given"] = {"bookings": given, "ember_watches": watches}
        if _allowed(world, p):
            fine += 1
        else:
            if refused > fine or (_kind(world, one) != station["allowed_days"] and _kind(world, two) != station["allowed_days"]):
                continue
            refused += 1
            instance["kind"] = "refusal"
            instance["rule"] = "dust_and_spark_days"
        yield instance


def solve(tools, p):
    station = next(row for row in tools.search_stations(code=p["station"])["stations"] if row["code"] == p["station"])
    wrong = []
    for day in (p["one"], p["two"]):
        shown = tools.list_calendar_days(first_day=day, last_day=day)["days"][0]
        if shown["day_kind"] != station["allowed_days"]:
            wrong.append(f"{day} is a {shown['day_kind']} day")
        tools.list_taken_times(day=day, station_id=station["station_id"])
    if wrong:
        return {
            "outcome": "refused",
            "answers": {"cost": None, "watches": None},
            "reason": "dust_and_spark_days",
            "message": f"I booked nothing: {p['station']} runs on {station['allowed_days']} days only, and {' and '.join(wrong)}.",
        }
    cost, watches = 0, 0
    for day in (p["one"], p["two"]):
        booked = tools.book_hours(
            station_id=station["station_id"],
            starts_at=f"{day}T{p['start']}:00",
            ends_at=f"{day}T{p['end']}:00",
            use_credit=False,
        )
        cost += booked["booking"]["price_cents"]
        watches += booked["ember_watch_mine"]
    return {
        "outcome": "done",
        "answers": {"cost": cost, "watches": watches},
        "reason": None,
        "message": f"{p['station']} is booked on both days for {cost / 100:.2f} euros in money, and the ember watch is yours on "
        f"{watches} of them.",
    }


def _price(world, p):
    return (int(p["end"][:2]) - int(p["start"][:2])) * _station(world.initial, p["station"])["hour_price_cents"]


def _is_booking(world, p, change):
    row = change["after"]
    return (
        _allowed(world.initial, p)
        and change["before"] is None
        and row is not None
        and row["member_id"] == 1
        and row["station_id"] == _station(world.initial, p["station"])["id"]
        and row["kind"] == "hour"
        and row["starts_at"] in (f"{p['one']}T{p['start']}:00", f"{p['two']}T{p['start']}:00")
        and row["ends_at"] == f"{row['starts_at'][:10]}T{p['end']}:00"
        and row["price_cents"] == _price(world, p)
        and row["status"] == "confirmed"
        and row["induction_place_id"] is None
        and row["delay_reported_at"] is None
        and row["swept_at"] is None
        and row["cancelled_at"] is None
    )


def goal_books_both_days(world, p):
    """Booked the station on both days, or reported that the kind of day forbids it."""
    if not _allowed(world.initial, p):
        return world.report.outcome == "refused" and world.report.reason == "dust_and_spark_days"
    days = [c["after"]["starts_at"][:10] for c in world.changes if c["table"] == "bookings" and _is_booking(world, p, c)]
    return sorted(days) == [p["one"], p["two"]]


def goal_says_what_it_costs(world, p):
    """Says what both days cost, and nothing where it is forbidden."""
    right = 2 * _price(world, p) if _allowed(world.initial, p) else None
    return world.report.outcome is not None and world.report.says("cost", right)


def goal_says_how_many_watches(world, p):
    """Says on how many of the days the ember watch is the user's, and nothing where it is forbidden."""
    right = len(_watch_days(world.initial, p)) if _allowed(world.initial, p) else None
    return world.report.outcome is not None and world.report.says("watches", right)


def guard_makes_no_other_booking(world, p):
    """Made or changed no booking but those, one a day."""
    rows = [c for c in world.changes if c["table"] == "bookings"]
    return all(_is_booking(world, p, c) for c in rows) and len({c["after"]["starts_at"] for c in rows}) == len(rows)


def guard_moves_the_watch_only_as_it_must(world, p):
    """Ember watches moved to the new bookings where they are the last of the day, and nowhere else."""
    made = {c["after"]["id"]: c["after"]["starts_at"][:10] for c in world.changes if c["table"] == "bookings" and c["after"] is not None}
    days, moving, seen = _watch_days(world.initial, p), _moving(world.initial, p), []
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "ember_watches":
            continue
        if after is None:
            return False
        if before is None:
            if after["member_id"] != 1 or after["status"] != "assigned" or made.get(after["booking_id"]) not in days:
                return False
            seen.append(after["booking_id"])
        elif before["id"] not in moving or after["status"] != "moved" or any(
            before[name] != after[name] for name in before if name not in ("status", "ended_at")
        ):
            return False
    return len(seen) == len(set(seen))


def guard_touches_no_other_table(world, p):
    """Touched no other table, and used no credit."""
    return all(c["table"] in ("bookings", "ember_watches") for c in world.changes)


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or a refusal where the kind of day forbids it."""
    return world.report.outcome in (None, "done" if _allowed(world.initial, p) else "refused")


def guard_gives_the_right_reason(world, p):
    """Gives no reason but that rule, and that only where it forbids it."""
    if world.report.outcome is None:
        return True
    return world.report.reason == (None if _allowed(world.initial, p) else "dust_and_spark_days")

import datetime

PLACES = ("in the metal hall", "in the laser hall", "on the benches")
CODES = ("M1", "M2", "M3a", "M3b", "M4"), ("L1", "L2"), ("B1", "B2", "B3", "B4")
GUESTS = ("Hilde Wijnands", "Koos Langelaar", "Farida Haddou", "Lieke van Rijn", "Bertus Oomen", "Sterre Jansma")


def _codes(where):
    return CODES[PLACES.index(where)]


def _open_days(db, first, last):
    """How many opening days there are from a day, included, to another, not included."""
    count, day = 0, datetime.date.fromisoformat(first)
    while day.isoformat() < last:
        if day.weekday() != 0 and db.one("SELECT id FROM closing_days WHERE day = ?", [day.isoformat()]) is None:
            count += 1
        day += datetime.timedelta(days=1)
    return count


def _refund(db, clock, booking):
    """The reason and the refund of a cancellation at the time of the request."""
    block = db.one(
        "SELECT COUNT(*) AS blocks FROM station_blocks WHERE status = 'in_force' AND station_id = ? AND starts_at < ?"
        " AND COALESCE(ends_at, '9') > ?",
        [booking["station_id"], booking["ends_at"], booking["starts_at"]],
    )
    price = booking["price_cents"]
    if block["blocks"]:
        return "machine_down", price
    if booking["kind"] == "hour":
        notice = datetime.datetime.fromisoformat(booking["starts_at"]) - datetime.datetime.fromisoformat(clock)
        if notice >= datetime.timedelta(hours=48):
            return "member", price
        return "member", price // 2 if notice >= datetime.timedelta(hours=12) else 0
    days = _open_days(db, clock[:10], booking["starts_at"][:10])
    return "member", price if days >= 5 else price // 2 if days >= 2 else 0


def _bookings(db, p):
    """The user's open bookings at the place in the stretch, each with the guests announced for it."""
    rows = db.query(
        "SELECT b.*, s.code AS station, (SELECT COUNT(*) FROM guest_visits g WHERE g.booking_id = b.id"
        " AND g.status = 'announced') AS guests FROM bookings b JOIN stations s ON s.id = b.station_id"
        " WHERE b.member_id = 1 AND b.status IN ('provisional', 'confirmed') AND substr(b.starts_at, 1, 10) >= ?"
        " AND substr(b.starts_at, 1, 10) <= ? ORDER BY b.starts_at, b.id",
        [p["first"], p["last"]],
    )
    return [row for row in rows if row["station"] in _codes(p["where"])]


def _credit_back(db, clock, booking, refund):
    """The credit entries that bring the credit of a booking back, as membership, last day and cents."""
    used = db.query(
        "SELECT membership_id, expires_on, -SUM(amount_cents) AS cents FROM credit_entries WHERE kind = 'use'"
        " AND booking_id = ? GROUP BY membership_id, expires_on ORDER BY expires_on DESC",
        [booking["id"]],
    )
    left = refund * sum(row["cents"] for row in used) // booking["price_cents"]
    back = []
    for row in used:
        part = min(left, row["cents"])
        left -= part
        if part:
            late = (datetime.date.fromisoformat(clock[:10]) + datetime.timedelta(days=14)).isoformat()
            expires_on = row["expires_on"] if row["expires_on"] >= clock[:10] else late
            back.append((booking["id"], row["membership_id"], expires_on, part))
    return back


def instances(world, rng):
    """A place and a stretch of days with bookings of the user, of which some have a guest."""
    today = datetime.date.fromisoformat(world.clock[:10])
    stations = {
        row["code"]: row for row in world.query("SELECT code, id, hour_price_cents, induction_type_id, allowed_days FROM stations ORDER BY code DESC")
    }
    inductions = {
        row["type"]: row["valid_until"]
        for row in world.query("SELECT induction_type_id AS type, valid_until FROM inductions WHERE member_id = 1 ORDER BY id DESC")
    }
    mine = world.one(
        "SELECT m.id, t.name AS type FROM memberships m JOIN membership_types t ON t.id = m.membership_type_id"
        " JOIN membership_members mm ON mm.membership_id = m.id WHERE mm.member_id = 1"
    )
    shut = {row["day"] for row in world.query("SELECT day FROM closing_days WHERE day >= ? ORDER BY day", [world.clock[:10]])}
    taken = world.query(
        "SELECT starts_at, ends_at, station_id, member_id FROM bookings WHERE ends_at > ?"
        " AND status IN ('provisional', 'confirmed') ORDER BY starts_at, id",
        [world.clock],
    )
    portion = world.one(
        "SELECT expires_on, SUM(amount_cents) AS cents FROM credit_entries WHERE membership_id = ? AND expires_on >= ?"
        " GROUP BY expires_on ORDER BY expires_on DESC LIMIT 1",
        [mine["id"], world.clock[:10]],
    )
    months = {}
    for row in world.query(
        "SELECT substr(starts_at, 1, 7) AS month FROM guest_visits WHERE member_id = 1 AND status <> 'cancelled' ORDER BY id"
    ):
        months[row["month"]] = months.get(row["month"], 0) + 1
    tops = world.one(
        "SELECT (SELECT MAX(id) FROM bookings) AS b, (SELECT MAX(id) FROM guest_visits) AS g,"
        " (SELECT MAX(id) FROM credit_entries) AS c"
    )
    evening = mine["type"] == "Evening"
    for _ in range(2500):
        where = rng.choice(PLACES)
        first = today + datetime.timedelta(days=rng.randint(1, 9))
        last = first + datetime.timedelta(days=rng.randint(4, 11))
        p = {"where": where, "first": first.isoformat(), "last": last.isoformat(), "clock": world.clock}
        codes = [code for code in _codes(where) if code in ("M1", "M2", "L2", "B1", "B2", "B3", "B4")]
        given, visits, entries, left = [], [], [], portion["cents"]
        for _ in range(rng.randint(3, 7)):
            day = first + datetime.timedelta(days=rng.randint(0, (last - first).days))
            station = stations[rng.choice(codes)]
            if day.weekday() == 0 or day.isoformat() in shut or (day - today).days > 20:
                continue
            if inductions.get(station["induction_type_id"], "") < day.isoformat():
                continue
            if day.weekday() == 6:
                begin, end = rng.choice(((10, 12), (11, 12), (12, 14), (14, 17), (15, 16)))
            elif evening:
                begin, end = rng.choice(((17, 18), (17, 19), (18, 20), (20, 22), (21, 22)))
            else:
                begin, end = rng.choice(((9, 10), (10, 12), (12, 15), (13, 14), (15, 17), (17, 18), (20, 22)))
            starts_at, ends_at = f"{day.isoformat()}T{begin:02d}:00:00", f"{day.isoformat()}T{end:02d}:00:00"
            if any(
                row["starts_at"] < ends_at
                and row["ends_at"] > starts_at
                and (row["station_id"] == station["id"] or row["member_id"] == 1)
                for row in taken + given
            ):
                continue
            row = {
                "id": tops["b"] + 1 + len(given),
                "code": f"WB-{15021 + 7 * len(given)}",
                "member_id": 1,
                "station_id": station["id"],
                "kind": "hour",
                "starts_at": starts_at,
                "ends_at": ends_at,
                "price_cents": (end - begin) * station["hour_price_cents"],
                "status": "confirmed",
                "induction_place_id": None,
                "booked_at": f"{world.clock[:10]}T08:{rng.randint(10, 55)}:00",
                "delay_reported_at": None,
                "swept_at": None,
                "cancelled_at": None,
                "cancel_reason": None,
                "refund_cents": None,
            }
            given.append(row)
            if left >= row["price_cents"] and rng.random() < 0.6:
                left -= row["price_cents"]
                entries.append(
                    {
                        "id": tops["c"] + 1 + len(entries),
                        "membership_id": mine["id"],
                        "kind": "use",
                        "amount_cents": -row["price_cents"],
                        "expires_on": portion["expires_on"],
                        "booking_id": row["id"],
                        "storage_rental_id": None,
                        "entered_at": row["booked_at"],
                    }
                )
            saturday = day.weekday() == 5 and begin < 13
            if not visits and months.get(starts_at[:7], 0) < 2 and not saturday and rng.random() < 0.5:
                visits.append(
                    {
                        "id": tops["g"] + 1,
                        "member_id": 1,
                        "booking_id": row["id"],
                        "guest_name": rng.choice(GUESTS),
                        "guest_age": rng.randint(17, 70),
                        "carrying_only": 0,
                        "starts_at": starts_at,
                        "ends_at": ends_at,
                        "price_cents": 750,
                        "status": "announced",
                        "announced_at": f"{world.clock[:10]}T08:57:00",
                        "cancelled_at": None,
                    }
                )
        if not given:
            continue
        guests = {row["booking_id"] for row in visits}
        rows = _bookings(world, p) + [dict(row, guests=int(row["id"] in guests)) for row in given]
        gone = [row for row in rows if not row["guests"]]
        if len(gone) < 2 or len(gone) == len(rows) - len(gone):
            continue
        if sum(_refund(world, world.clock, row)[1] for row in gone) == 0:
            continue
        extra = {"bookings": given}
        if visits:
            extra["guest_visits"] = visits
        if entries:
            extra["credit_entries"] = entries
        yield {"p": p, "given": extra}


def solve(tools, p):
    benches = p["where"] == "on the benches"
    stations = set()
    for row in tools.search_stations()["stations"]:
        if (row["code"].startswith("B") and benches) or p["where"] == f"in the {row['hall_name']} hall":
            stations.add(row["station_id"])
    mine = tools.search_bookings(first_day=p["first"], last_day=p["last"])["bookings"]
    mine = [row for row in mine if row["status"] in ("provisional", "confirmed") and row["station_id"] in stations]
    guests = {row["booking_id"] for row in tools.list_guest_visits(status="announced")["guest_visits"]}
    cancelled, kept, back = 0, 0, 0
    for booking in mine:
        if booking["booking_id"] in guests:
            kept += 1
        else:
            back += tools.cancel_booking(booking_id=booking["booking_id"])["booking"]["refund_cents"]
            cancelled += 1
    return {
        "outcome": "done",
        "answers": {"cancelled": cancelled, "kept": kept, "came_back": back},
        "reason": None,
        "message": f"I cancelled {cancelled} of your bookings and kept {kept}, for which a guest is announced; "
        f"{back / 100:.2f} euros came back.",
    }


def _gone(world, p):
    """The bookings to cancel with reason and refund."""
    return {
        row["id"]: _refund(world.initial, p["clock"], row) for row in _bookings(world.initial, p) if not row["guests"]
    }


def _entries(world, p):
    """The credit entries that are to come back."""
    gone = _gone(world, p)
    back = []
    for row in _bookings(world.initial, p):
        if row["id"] in gone:
            back += _credit_back(world.initial, p["clock"], row, gone[row["id"]][1])
    return sorted(back)


def _is_cancelled(world, p, change):
    before, after, gone = change["before"], change["after"], _gone(world, p)
    if before is None or after is None or before["id"] not in gone:
        return False
    free = ("status", "cancelled_at", "cancel_reason", "refund_cents")
    return (
        after["status"] == "cancelled"
        and (after["cancel_reason"], after["refund_cents"]) == gone[before["id"]]
        and all(before[name] == after[name] for name in before if name not in free)
    )


def _new_entries(world):
    return sorted(
        (c["after"]["booking_id"], c["after"]["membership_id"], c["after"]["expires_on"], c["after"]["amount_cents"])
        for c in world.changes
        if c["table"] == "credit_entries" and c["before"] is None and c["after"]["kind"] == "refund"
    )


def goal_cancels_each_without_a_guest(world, p):
    """Cancelled each booking there for which no guest is announced."""
    done = [c["after"]["id"] for c in world.changes if c["table"] == "bookings" and _is_cancelled(world, p, c)]
    return sorted(done) == sorted(_gone(world, p))


def goal_says_how_many_were_cancelled(world, p):
    """Says how many were cancelled."""
    return world.report.says("cancelled", len(_gone(world, p)))


def goal_says_how_many_were_kept(world, p):
    """Says how many were kept for a guest."""
    return world.report.says("kept", len(_bookings(world.initial, p)) - len(_gone(world, p)))


def goal_says_what_came_back(world, p):
    """Says how much came back altogether."""
    return world.report.says("came_back", sum(refund for _, refund in _gone(world, p).values()))


def guard_cancels_no_other_booking(world, p):
    """Changed no booking but those, and cancelled them only."""
    return all(_is_cancelled(world, p, c) for c in world.changes if c["table"] == "bookings")


def guard_writes_no_other_credit(world, p):
    """Wrote no credit entry but what came back for the bookings that were cancelled."""
    cancelled = [c["after"]["id"] for c in world.changes if c["table"] == "bookings" and c["after"] is not None]
    rows = [c for c in world.changes if c["table"] == "credit_entries"]
    new = _new_entries(world)
    return len(rows) == len(new) and new == [entry for entry in _entries(world, p) if entry[0] in cancelled]


def guard_touches_no_other_table(world, p):
    """Touched no other table."""
    return all(c["table"] in ("bookings", "credit_entries") for c in world.changes)


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_gives_no_reason(world, p):
    """Names no rule that would forbid it."""
    return world.report.reason is None

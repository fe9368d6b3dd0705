import datetime


def _end(start, minutes):
    return (datetime.datetime.fromisoformat(start) + datetime.timedelta(minutes=minutes)).isoformat()


def _wanted(world, p):
    """The half-day, read off the databases; None where neither half of that day is to be had."""
    day = world.one(
        "SELECT min(substr(e.starts_at, 1, 10)) AS day FROM club_club_evenings e WHERE e.status = 'planned'"
        " AND substr(e.starts_at, 1, 10) >= ? AND (EXISTS (SELECT 1 FROM club_table_bookings t"
        " WHERE t.club_evening_id = e.id AND t.member_id = 1 AND t.status = 'booked')"
        " OR EXISTS (SELECT 1 FROM club_hosting_turns h WHERE h.club_evening_id = e.id AND h.member_id = 1"
        " AND h.status = 'signed_up'))",
        [p["first"]],
    )["day"]
    halves = world.query(
        "SELECT r.id, r.starts_at FROM barber_chair_rentals r JOIN barber_barbers b ON b.id = r.barber_id"
        " WHERE b.name = ? AND r.day = ? AND r.status = 'active' ORDER BY r.half",
        [p["barber"], day],
    )
    for half in halves:
        clash = world.one(
            "SELECT a.id FROM barber_appointments a JOIN barber_chair_rentals r ON r.id = a.chair_rental_id"
            " JOIN barber_barbers b ON b.id = r.barber_id WHERE b.name = ? AND a.id <> ?"
            " AND a.status IN ('booked', 'confirmed') AND a.starts_at < ? AND a.ends_at > ?",
            [p["barber"], p["appointment"], _end(half["starts_at"], p["minutes"]), half["starts_at"]],
        )
        if clash is None:
            return half
    return None


def instances(world, rng):
    """The user's open appointments, evenings that are theirs on days the barbers work, and afternoons that are taken."""
    mine = world.query(
        "SELECT a.id, a.starts_at, s.duration_minutes AS minutes, b.id AS barber_id, b.name AS barber"
        " FROM barber_appointments a JOIN barber_services s ON s.id = a.service_id"
        " JOIN barber_barbers b ON b.id = s.barber_id WHERE a.customer_id = 1"
        " AND a.status IN ('booked', 'confirmed') ORDER BY a.starts_at DESC"
    )
    evenings = world.query(
        "SELECT e.id, substr(e.starts_at, 1, 10) AS day FROM club_club_evenings e WHERE e.status = 'planned'"
        " AND EXISTS (SELECT 1 FROM barber_chair_rentals r WHERE r.day = substr(e.starts_at, 1, 10)) ORDER BY e.id"
    )
    tables = world.query("SELECT id, seats FROM club_play_tables ORDER BY seats DESC, id")
    taken = {(r["e"], r["t"]) for r in world.query(
        "SELECT club_evening_id AS e, play_table_id AS t FROM club_table_bookings WHERE status IN ('booked', 'kept')"
    )}
    top = world.one(
        "SELECT (SELECT max(id) FROM club_table_bookings) AS booking, (SELECT max(id) FROM barber_appointments) AS cut"
    )
    today = datetime.date.fromisoformat(world.clock[:10])
    while True:
        one = rng.choice(mine)
        theirs = rng.sample(evenings, rng.randint(1, len(evenings)))
        first = (today + datetime.timedelta(days=rng.randint(1, 9))).isoformat()
        day = min((e["day"] for e in theirs if e["day"] >= first), default=None)
        if day is None:
            continue
        bookings, cuts = [], []
        for evening in theirs:
            free = [t for t in tables if (evening["id"], t["id"]) not in taken]
            table = rng.choice(free)
            bookings.append({
                "id": top["booking"] + 1 + len(bookings), "member_id": 1, "club_evening_id": evening["id"],
                "play_table_id": table["id"], "people": rng.randint(2, table["seats"]), "status": "booked",
                "booked_at": "2026-04-12T20:45:00", "cancelled_at": None,
            })
        halves = world.query(
            "SELECT id, half, starts_at FROM barber_chair_rentals WHERE barber_id = ? AND day = ? AND status = 'active'",
            [one["barber_id"], day],
        )
        service = world.one(
            "SELECT id, duration_minutes AS minutes, price_cents FROM barber_services WHERE barber_id = ?"
            " ORDER BY duration_minutes",
            [one["barber_id"]],
        )
        busy = world.query(
            "SELECT a.starts_at, a.ends_at FROM barber_appointments a JOIN barber_chair_rentals r"
            " ON r.id = a.chair_rental_id WHERE r.barber_id = ? AND r.day = ? AND a.id <> ?"
            " AND a.status IN ('booked', 'confirmed')",
            [one["barber_id"], day, one["id"]],
        )
        for half in halves:
            start = half["starts_at"]
            end = _end(start, service["minutes"])
            clashes = any(b["starts_at"] < end and b["ends_at"] > start for b in busy)
            if half["half"] == "afternoon" and rng.random() < 0.5 and not clashes:
                cuts.append({
                    "id": top["cut"] + 1, "customer_id": rng.randint(2, 9), "service_id": service["id"],
                    "chair_rental_id": half["id"], "starts_at": start, "ends_at": end,
                    "price_cents": service["price_cents"], "status": "booked", "booked_at": "2026-04-13T17:05:00",
                    "confirmed_at": None, "cancelled_at": None,
                })
        busy = busy + cuts
        starts = [
            half["starts_at"] for half in sorted(halves, key=lambda h: h["half"])
            if not any(
                b["starts_at"] < _end(half["starts_at"], one["minutes"]) and b["ends_at"] > half["starts_at"] for b in busy
            )
        ]
        if not starts or starts[0] == one["starts_at"]:
            continue
        p = {"barber": one["barber"], "first": first, "appointment": one["id"], "minutes": one["minutes"]}
        given = {"club_table_bookings": bookings, "barber_appointments": cuts}
        yield {"p": p, "given": {table: rows for table, rows in given.items() if rows}}


def solve(tools, p):
    days = [
        b["starts_at"][:10]
        for b in tools.club_list_my_table_bookings(status="booked", first_day=p["first"])["table_bookings"]
    ]
    turns = tools.club_list_my_hosting_turns(status="signed_up")["hosting_turns"]
    days += [t["starts_at"][:10] for t in turns if t["starts_at"][:10] >= p["first"]]
    mine = next(
        a for status in ("booked", "confirmed") for a in tools.barber_list_my_appointments(status=status)["appointments"]
        if a["barber_name"] == p["barber"]
    )
    services = tools.barber_search_services(barber_id=mine["barber_id"])["services"]
    minutes = next(s["duration_minutes"] for s in services if s["id"] == mine["service_id"])
    halves = tools.barber_search_chair_rentals(
        barber_id=mine["barber_id"], first_day=min(days), last_day=min(days), status="active"
    )["chair_rentals"]
    for half in sorted(halves, key=lambda h: h["half"]):
        end = _end(half["starts_at"], minutes)
        taken = tools.barber_get_chair_rental(chair_rental_id=half["id"])["taken_times"]
        others = [t for t in taken if (t["starts_at"], t["ends_at"]) != (mine["starts_at"], mine["ends_at"])]
        if any(t["starts_at"] < end and t["ends_at"] > half["starts_at"] for t in others):
            continue
        tools.barber_move_appointment(appointment_id=mine["id"], starts_at=half["starts_at"])
        day, time = half["starts_at"][:10], half["starts_at"][11:16]
        return {
            "outcome": "done",
            "answers": {"day": day, "time": time},
            "reason": None,
            "message": f"Your appointment with {p['barber']} is on {day} at {time} now.",
        }


def goal_is_at_that_time(world, p):
    """Has the appointment at the start of the half-day that was wanted."""
    wanted = _wanted(world.initial, p)
    row = world.final.one("SELECT starts_at, chair_rental_id FROM barber_appointments WHERE id = ?", [p["appointment"]])
    return (row["starts_at"], row["chair_rental_id"]) == (wanted["starts_at"], wanted["id"])


def goal_says_the_day(world, p):
    """Says the new day."""
    return world.report.says("day", _wanted(world.initial, p)["starts_at"][:10])


def goal_says_the_time(world, p):
    """Says the new time."""
    return world.report.says("time", _wanted(world.initial, p)["starts_at"][11:16])


def guard_moves_that_appointment_only(world, p):
    """Changed nothing but the time of the one appointment, and nothing at the club."""
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "barber_appointments" or before is None or after is None:
            return False
        moved = {name: after[name] for name in ("starts_at", "ends_at", "chair_rental_id")}
        if before["id"] != p["appointment"] or {**before, **moved} != after:
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

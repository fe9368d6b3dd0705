import datetime


def _end(start, minutes):
    return (datetime.datetime.fromisoformat(start) + datetime.timedelta(minutes=minutes)).isoformat()


def _is_free(start, minutes, others):
    return not any(o["starts_at"] < _end(start, minutes) and o["ends_at"] > start for o in others)


def _new_start(world, p):
    """The start of the first half-day that suits, read off the databases; None where there is none."""
    halves = world.query(
        "SELECT r.id, r.starts_at FROM barber_chair_rentals r JOIN barber_barbers b ON b.id = r.barber_id"
        " WHERE b.name = ? AND r.half = ? AND r.day >= ? AND r.status = 'active' AND r.day NOT IN"
        " (SELECT substr(e.starts_at, 1, 10) FROM club_club_evenings e JOIN club_table_bookings t"
        " ON t.club_evening_id = e.id WHERE t.member_id = 1 AND t.status = 'booked')"
        " AND r.day NOT IN (SELECT substr(e.starts_at, 1, 10) FROM club_club_evenings e JOIN club_hosting_turns h"
        " ON h.club_evening_id = e.id WHERE h.member_id = 1 AND h.status = 'signed_up') ORDER BY r.starts_at",
        [p["barber"], p["half"], p["first"]],
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
    """The user's two open appointments, evenings at the club that are theirs, and starts of half-days that are taken."""
    mine = world.query(
        "SELECT a.id, b.name AS barber, b.id AS barber_id, s.duration_minutes AS minutes, a.starts_at"
        " FROM barber_appointments a JOIN barber_services s ON s.id = a.service_id"
        " JOIN barber_barbers b ON b.id = s.barber_id WHERE a.customer_id = 1"
        " AND a.status IN ('booked', 'confirmed') ORDER BY a.id"
    )
    evenings = world.query(
        "SELECT e.id, substr(e.starts_at, 1, 10) AS day FROM club_club_evenings e WHERE e.status = 'planned'"
        " AND substr(e.starts_at, 1, 10) <= '2026-04-25' ORDER BY e.id"
    )
    tables = world.query("SELECT id, seats FROM club_play_tables ORDER BY id")
    taken = {(r["e"], r["t"]) for r in world.query(
        "SELECT club_evening_id AS e, play_table_id AS t FROM club_table_bookings WHERE status <> 'cancelled'"
    )}
    hosted = {r["e"] for r in world.query(
        "SELECT club_evening_id AS e FROM club_hosting_turns WHERE status <> 'given_back'"
    )}
    top = world.one(
        "SELECT (SELECT max(id) FROM club_table_bookings) AS booking, (SELECT max(id) FROM club_hosting_turns) AS turn,"
        " (SELECT max(id) FROM barber_appointments) AS appointment"
    )
    today = datetime.date.fromisoformat(world.clock[:10])
    while True:
        one = rng.choice(mine)
        first = today + datetime.timedelta(days=rng.randint(1, 9))
        half = rng.choice(["morning", "afternoon"])
        bookings, turns, appointments, busy = [], [], [], set()
        for evening in evenings:
            fate = rng.choice(["table", "turn", "old table", "none"])
            table = rng.choice(tables)
            if fate.endswith("table") and (evening["id"], table["id"]) not in taken:
                old = fate == "old table"
                bookings.append({
                    "id": top["booking"] + 1 + len(bookings), "member_id": 1, "club_evening_id": evening["id"],
                    "play_table_id": table["id"], "people": rng.randint(1, table["seats"]),
                    "status": "cancelled" if old else "booked", "booked_at": "2026-04-11T19:20:00",
                    "cancelled_at": "2026-04-12T18:05:00" if old else None,
                })
                busy |= set() if old else {evening["day"]}
            if fate == "turn" and evening["id"] not in hosted:
                turns.append({
                    "id": top["turn"] + 1 + len(turns), "member_id": 1, "club_evening_id": evening["id"],
                    "status": "signed_up", "signed_up_at": "2026-04-11T19:25:00", "given_back_at": None,
                })
                busy.add(evening["day"])
        halves = world.query(
            "SELECT r.id, r.day, r.starts_at FROM barber_chair_rentals r WHERE r.barber_id = ? AND r.half = ?"
            " AND r.day >= ? AND r.status = 'active' ORDER BY r.starts_at",
            [one["barber_id"], half, first.isoformat()],
        )
        service = world.one(
            "SELECT id, duration_minutes AS minutes, price_cents FROM barber_services WHERE barber_id = ? ORDER BY id",
            [one["barber_id"]],
        )
        booked = world.query(
            "SELECT a.starts_at, a.ends_at FROM barber_appointments a JOIN barber_chair_rentals r"
            " ON r.id = a.chair_rental_id WHERE r.barber_id = ? AND a.id <> ? AND a.status IN ('booked', 'confirmed')",
            [one["barber_id"], one["id"]],
        )
        for h in halves[: rng.randint(0, 2)]:
            if h["starts_at"] != one["starts_at"] and _is_free(h["starts_at"], service["minutes"], booked):
                row = {
                    "id": top["appointment"] + 1 + len(appointments), "customer_id": rng.randint(2, 9),
                    "service_id": service["id"], "chair_rental_id": h["id"], "starts_at": h["starts_at"],
                    "ends_at": _end(h["starts_at"], service["minutes"]), "price_cents": service["price_cents"],
                    "status": "booked", "booked_at": "2026-04-13T12:40:00", "confirmed_at": None, "cancelled_at": None,
                }
                appointments.append(row)
                booked = booked + [row]
        fits = [h for h in halves if h["day"] not in busy and _is_free(h["starts_at"], one["minutes"], booked)]
        if not fits or fits[0]["starts_at"] == one["starts_at"] or (fits[0] is halves[0] and rng.random() < 0.7):
            continue
        given = {
            "club_table_bookings": bookings, "club_hosting_turns": turns, "barber_appointments": appointments,
        }
        yield {
            "p": {
                "barber": one["barber"], "half": half, "first": first.isoformat(), "appointment": one["id"],
                "minutes": one["minutes"],
            },
            "given": {table: rows for table, rows in given.items() if rows},
        }


def solve(tools, p):
    day_of = {e["id"]: e["starts_at"][:10] for e in tools.club_search_club_evenings(first_day=p["first"])["club_evenings"]}
    busy = {b["starts_at"][:10] for b in tools.club_list_my_table_bookings(status="booked")["table_bookings"]}
    busy |= {day_of.get(t["club_evening_id"]) for t in tools.club_list_my_hosting_turns(status="signed_up")["hosting_turns"]}
    mine = [
        a for status in ("booked", "confirmed") for a in tools.barber_list_my_appointments(status=status)["appointments"]
        if a["barber_name"] == p["barber"]
    ][0]
    minutes = next(
        s["duration_minutes"] for s in tools.barber_search_services(barber_id=mine["barber_id"])["services"]
        if s["id"] == mine["service_id"]
    )
    halves = tools.barber_search_chair_rentals(
        barber_id=mine["barber_id"], first_day=p["first"], half=p["half"], status="active"
    )["chair_rentals"]
    for half in halves:
        if half["day"] in busy:
            continue
        end = _end(half["starts_at"], minutes)
        taken = tools.barber_get_chair_rental(chair_rental_id=half["id"])["taken_times"]
        own = (mine["starts_at"], mine["ends_at"])
        others = [t for t in taken if (t["starts_at"], t["ends_at"]) != own]
        if not any(t["starts_at"] < end and t["ends_at"] > half["starts_at"] for t in others):
            tools.barber_move_appointment(appointment_id=mine["id"], starts_at=half["starts_at"])
            return {
                "outcome": "done",
                "answers": {"day": half["day"]},
                "reason": None,
                "message": f"Your appointment with {p['barber']} is now on {half['day']}, at the start of the {p['half']}.",
            }


def goal_is_at_the_start_of_that_half_day(world, p):
    """Has the appointment at the start of the first half-day that suits."""
    wanted = _new_start(world.initial, p)
    row = world.final.one("SELECT starts_at, chair_rental_id FROM barber_appointments WHERE id = ?", [p["appointment"]])
    return row["starts_at"] == wanted["starts_at"] and row["chair_rental_id"] == wanted["id"]


def goal_says_the_day(world, p):
    """Says the new day."""
    return world.report.says("day", _new_start(world.initial, p)["starts_at"][:10])


def guard_changes_the_time_of_that_appointment_only(world, p):
    """Changed nothing but the time of the one appointment, and nothing at the club."""
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "barber_appointments" or before is None or after is None:
            return False
        moved = ("starts_at", "ends_at", "chair_rental_id")
        if before["id"] != p["appointment"] or {**before, **{name: after[name] for name in moved}} != after:
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

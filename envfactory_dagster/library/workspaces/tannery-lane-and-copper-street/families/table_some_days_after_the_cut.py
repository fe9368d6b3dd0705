import datetime


def _wanted(world, p):
    """The evening and the table, read off the databases."""
    cut = world.one(
        "SELECT substr(a.starts_at, 1, 10) AS day FROM barber_appointments a JOIN barber_services s"
        " ON s.id = a.service_id JOIN barber_barbers b ON b.id = s.barber_id"
        " WHERE a.customer_id = 1 AND a.status IN ('booked', 'confirmed') AND b.name = ?",
        [p["barber"]],
    )
    return world.one(
        "SELECT e.id AS evening, substr(e.starts_at, 1, 10) AS day, t.id AS play_table, t.name FROM club_club_evenings e"
        " JOIN club_play_tables t ON t.seats >= ? AND NOT EXISTS (SELECT 1 FROM club_table_bookings k"
        " WHERE k.club_evening_id = e.id AND k.play_table_id = t.id AND k.status IN ('booked', 'kept', 'missed'))"
        " WHERE e.id = (SELECT n.id FROM club_club_evenings n WHERE n.status = 'planned'"
        " AND julianday(substr(n.starts_at, 1, 10)) - julianday(?) >= ? ORDER BY n.starts_at LIMIT 1)"
        " ORDER BY t.seats, t.name LIMIT 1",
        [p["people"], cut["day"], p["days"]],
    )


def instances(world, rng):
    """The user's open appointments, groups of any size, and evenings on which others have taken tables."""
    cuts = world.query(
        "SELECT b.name AS barber, substr(a.starts_at, 1, 10) AS day FROM barber_appointments a"
        " JOIN barber_services s ON s.id = a.service_id JOIN barber_barbers b ON b.id = s.barber_id"
        " WHERE a.customer_id = 1 AND a.status IN ('booked', 'confirmed') ORDER BY a.starts_at"
    )
    evenings = world.query(
        "SELECT id, substr(starts_at, 1, 10) AS day FROM club_club_evenings WHERE status = 'planned' ORDER BY starts_at"
    )
    tables = world.query("SELECT id, name, seats FROM club_play_tables ORDER BY seats, name")
    taken = {(r["e"], r["t"]): r["m"] for r in world.query(
        "SELECT club_evening_id AS e, play_table_id AS t, member_id AS m FROM club_table_bookings"
        " WHERE status IN ('booked', 'kept', 'missed')"
    )}
    top = world.one("SELECT max(id) AS n FROM club_table_bookings")["n"]
    while True:
        cut, days, people = rng.choice(cuts), rng.randint(2, 12), rng.randint(2, 8)
        earliest = (datetime.date.fromisoformat(cut["day"]) + datetime.timedelta(days=days)).isoformat()
        evening = next((e for e in evenings if e["day"] >= earliest), None)
        if evening is None or any(e == evening["id"] and m == 1 for (e, _), m in taken.items()):
            continue
        free = [t for t in tables if (evening["id"], t["id"]) not in taken]
        rows = []
        for table in rng.sample(free, rng.randint(0, len(free) - 1)):
            rows.append({
                "id": top + 1 + len(rows), "member_id": rng.randint(2, 9), "club_evening_id": evening["id"],
                "play_table_id": table["id"], "people": rng.randint(1, table["seats"]), "status": "booked",
                "booked_at": f"2026-04-12T{rng.randint(10, 21)}:{rng.randint(10, 59)}:00", "cancelled_at": None,
            })
        gone = {row["play_table_id"] for row in rows}
        if not any(t["seats"] >= people and t["id"] not in gone for t in free):
            continue
        p = {"barber": cut["barber"], "days": days, "people": people}
        yield {"p": p, "given": {"club_table_bookings": rows}} if rows else {"p": p}


def solve(tools, p):
    open_ones = [
        a for status in ("booked", "confirmed") for a in tools.barber_list_my_appointments(status=status)["appointments"]
    ]
    cut = next(a for a in open_ones if a["barber_name"] == p["barber"])
    earliest = datetime.date.fromisoformat(cut["starts_at"][:10]) + datetime.timedelta(days=p["days"])
    found = tools.club_search_club_evenings(first_day=earliest.isoformat(), status="planned")["club_evenings"][0]
    evening = tools.club_get_club_evening(club_evening_id=found["id"])
    fitting = [t for t in evening["play_tables"] if t["is_free"] and t["seats"] >= p["people"]]
    table = min(fitting, key=lambda t: (t["seats"], t["name"]))
    tools.club_book_table(club_evening_id=found["id"], play_table_id=table["id"], people=p["people"])
    day = found["starts_at"][:10]
    return {
        "outcome": "done",
        "answers": {"evening": day, "table": table["name"]},
        "reason": None,
        "message": f"You have the table {table['name']} on {day}.",
    }


def goal_has_that_table_on_that_evening(world, p):
    """Has the smallest table that seats the group, on the first evening so long after the appointment."""
    wanted = _wanted(world.initial, p)
    rows = world.final.query(
        "SELECT play_table_id, people FROM club_table_bookings WHERE member_id = 1 AND club_evening_id = ?"
        " AND status = 'booked'",
        [wanted["evening"]],
    )
    return [(row["play_table_id"], row["people"]) for row in rows] == [(wanted["play_table"], p["people"])]


def goal_says_the_evening(world, p):
    """Says which evening it is."""
    return world.report.says("evening", _wanted(world.initial, p)["day"])


def goal_says_the_table(world, p):
    """Says which table it is."""
    return world.report.says("table", _wanted(world.initial, p)["name"])


def guard_adds_one_booking_and_leaves_the_barber_alone(world, p):
    """Changed nothing but one new booking of the user at the club."""
    return len(world.changes) <= 1 and all(
        change["table"] == "club_table_bookings" and change["before"] is None and change["after"]["member_id"] == 1
        for change in world.changes
    )


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

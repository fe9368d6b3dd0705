import datetime

HOURS = ("10:00", "11:45", "14:00", "15:45")


def _days(start, last):
    """The days from one to another."""
    day = datetime.date.fromisoformat(start)
    while day.isoformat() <= last:
        yield day
        day += datetime.timedelta(days=1)


def _plan(db, p):
    """For each record the next day on which the booth is free at that hour and the reader has no booth and sits nowhere else."""
    slot = db.one("SELECT id, starts, ends FROM slots WHERE kind = 'booth' AND starts = ?", [p["hour"]])
    place = db.one("SELECT id FROM places WHERE place = ?", [p["booth"]])["id"]
    titles = list(p["titles"])
    plan = []
    for date in _days(p["start"], p["last"]):
        day = date.isoformat()
        if len(plan) == len(titles):
            break
        if date.weekday() == 6 or (date.weekday() == 5 and slot["starts"] > "13:00"):
            continue
        if db.one("SELECT 1 AS n FROM closed_days WHERE first_day <= ? AND last_day >= ?", [day, day]):
            continue
        busy = db.one(
            "SELECT (SELECT count(*) FROM bookings WHERE place_id = ? AND on_day = ? AND slot_id = ? AND status IN ('booked', 'came', 'absent'))"
            " + (SELECT count(*) FROM bookings b JOIN places q ON q.id = b.place_id JOIN slots s ON s.id = b.slot_id WHERE b.reader_id = 1"
            " AND b.on_day = ? AND b.status = 'booked' AND (q.kind = 'booth' OR (s.starts < ? AND s.ends > ?)))"
            " + (SELECT count(*) FROM cold_store_orders o JOIN slots s ON s.id = o.session_slot_id WHERE o.reader_id = 1"
            " AND o.session_day = ? AND o.status = 'on a run' AND s.starts < ? AND s.ends > ?) AS n",
            [place, day, slot["id"], day, slot["ends"], slot["starts"], day, slot["ends"], slot["starts"]])["n"]
        if not busy:
            item = db.one("SELECT id FROM items WHERE title = ? AND item_class = 'D'", [titles[len(plan)]])
            plan.append((day, place, slot["id"], item["id"]))
    return plan


def _taken_by_others(world, rng, p):
    """Bookings of the booth by other readers at that hour, as they would have been made this morning."""
    slot = world.one("SELECT id, starts, ends FROM slots WHERE kind = 'booth' AND starts = ?", [p["hour"]])
    place = world.one("SELECT id FROM places WHERE place = ?", [p["booth"]])["id"]
    head = world.one("SELECT max(id) AS id, max(booking_no) AS no FROM bookings")
    moment = datetime.datetime.fromisoformat(world.clock)
    rows = []
    used = set()
    for date in _days(p["start"], p["last"]):
        day = date.isoformat()
        if date.weekday() > 4 or rng.random() < 0.5 or len(rows) == 4:
            continue
        if world.one("SELECT 1 AS n FROM closed_days WHERE first_day <= ? AND last_day >= ?", [day, day]):
            continue
        if world.one(
            "SELECT 1 AS n FROM bookings WHERE on_day = ? AND slot_id = ? AND place_id = ? AND status IN ('booked', 'came', 'absent')",
            [day, slot["id"], place],
        ):
            continue
        monday = (date - datetime.timedelta(days=date.weekday())).isoformat()
        sunday = (date + datetime.timedelta(days=6 - date.weekday())).isoformat()
        readers = world.query(
            "SELECT r.id FROM readers r WHERE r.id <> 1 AND r.valid_until >= ?"
            " AND (SELECT count(*) FROM bookings b WHERE b.reader_id = r.id AND b.status = 'absent') < 2"
            " AND NOT EXISTS (SELECT 1 FROM bookings b WHERE b.reader_id = r.id AND b.on_day = ?)"
            " AND NOT EXISTS (SELECT 1 FROM cold_store_orders o WHERE o.reader_id = r.id AND o.session_day = ?)"
            " AND (SELECT count(*) FROM bookings b WHERE b.reader_id = r.id AND b.on_day BETWEEN ? AND ?) < 3 ORDER BY r.id",
            [day, day, day, monday, sunday])
        readers = [r["id"] for r in readers if (r["id"], monday) not in used]
        records = [
            i for i in world.query(
                "SELECT id, title FROM items i WHERE item_class = 'D' AND NOT EXISTS (SELECT 1 FROM bookings b"
                " WHERE b.item_id = i.id AND b.on_day = ?) ORDER BY id", [day])
            if i["title"] not in p["titles"]
        ]
        if not readers or not records:
            continue
        reader = rng.choice(readers)
        used.add((reader, monday))
        n = len(rows) + 1
        rows.append({
            "id": head["id"] + n, "booking_no": f"{head['no'][:-3]}{int(head['no'][-3:]) + n:03d}",
            "made_at": (moment - datetime.timedelta(minutes=25 - 4 * n)).isoformat(), "reader_id": reader, "place_id": place,
            "on_day": day, "slot_id": slot["id"], "persons": 1, "item_id": rng.choice(records)["id"], "price_id": 7, "fee_cents": 0,
            "status": "booked",
        })
    return rows


def instances(world, rng):
    """Two or three records, a booth, an hour and the day from which on there are days enough for them."""
    today = datetime.date.fromisoformat(world.clock[:10])
    valid = world.one("SELECT valid_until FROM readers WHERE id = 1")["valid_until"]
    discs = [r["title"] for r in world.query("SELECT title FROM items WHERE item_class = 'D' ORDER BY id")]
    last = min((today + datetime.timedelta(days=14)).isoformat(), valid)
    for _ in range(5000):
        p = {
            "titles": rng.sample(discs, rng.choice((2, 2, 3))), "booth": rng.choice(("B1", "B2", "B3")), "hour": rng.choice(HOURS),
            "start": (today + datetime.timedelta(days=rng.choice((1, 1, 1, 2, 3, 4, 5, 6)))).isoformat(), "last": last,
        }
        if datetime.date.fromisoformat(p["start"]).weekday() == 6:
            continue
        given = _taken_by_others(world, rng, p)
        slot = world.one("SELECT id FROM slots WHERE starts = ? AND kind = 'booth'", [p["hour"]])["id"]
        before = {g["on_day"] for g in given}
        days = []
        place = world.one("SELECT id FROM places WHERE place = ?", [p["booth"]])["id"]
        for date in _days(p["start"], last):
            if date.isoformat() not in before and _plan(world, dict(p, start=date.isoformat(), last=date.isoformat(), titles=p["titles"][:1])):
                days.append(date)
        days = days[: len(p["titles"])]
        if len(days) < len(p["titles"]):
            continue
        good = True
        for date, title in zip(days, p["titles"]):
            monday = date - datetime.timedelta(days=date.weekday())
            sunday = monday + datetime.timedelta(days=6)
            week = world.one(
                "SELECT count(*) AS n FROM bookings b JOIN places q ON q.id = b.place_id WHERE b.reader_id = 1 AND q.kind = 'booth'"
                " AND b.status IN ('booked', 'came', 'absent') AND b.on_day BETWEEN ? AND ?", [monday.isoformat(), sunday.isoformat()])["n"]
            if week + len([d for d in days if monday <= d <= sunday]) > 4:
                good = False
            if world.one(
                "SELECT 1 AS n FROM bookings b JOIN items i ON i.id = b.item_id WHERE i.title = ? AND b.on_day = ? AND b.slot_id = ?"
                " AND b.status = 'booked' AND b.place_id <> ?", [title, date.isoformat(), slot, place],
            ):
                good = False
        if not good:
            continue
        yield {"p": p, "given": {"bookings": given}} if given else {"p": p}


def solve(tools, p):
    ids = [next(i["id"] for i in tools.list_items(title_contains=title, item_class="D")["items"] if i["title"] == title) for title in p["titles"]]
    mine = [(b["on_day"], b["starts"], b["ends"], b["place"]) for b in tools.list_my_bookings(status="booked", first_day=p["start"])["bookings"]]
    sessions = {(o["session_day"], o["session_slot_id"]) for o in tools.list_my_orders(status="on a run")["cold_store_orders"]}
    table = {5: ("11:30", "13:30"), 6: ("14:30", "16:30")}
    mine += [(day, table[slot][0], table[slot][1], "TABLE") for day, slot in sessions]
    date = datetime.date.fromisoformat(p["start"])
    days = []
    looked = 0
    while len(days) < len(ids) and looked < 16:
        day = date.isoformat()
        date += datetime.timedelta(days=1)
        looked += 1
        free = tools.find_free_places(on_day=day, kind="booth")["free_places"]
        spot = next((f for f in free if f["place"] == p["booth"] and f["starts"] == p["hour"]), None)
        if spot is None:
            continue
        if any(m[0] == day and (m[3] != "TABLE" or (m[1] < spot["ends"] and m[2] > spot["starts"])) for m in mine):
            continue
        tools.book_booth(place_id=spot["place_id"], on_day=day, slot_id=spot["slot_id"], item_id=ids[len(days)])
        days.append(day)
    told = "; ".join(f"{title} on {day}" for title, day in zip(p["titles"], days))
    return {
        "outcome": "done", "answers": {"days": days}, "reason": None,
        "message": f"You have booth {p['booth']} at {p['hour']} for {told}.",
    }


def _new_bookings(world):
    """The new bookings as day, place, slot and item, by day."""
    rows = [c["after"] for c in world.changes if c["table"] == "bookings" and c["before"] is None]
    return sorted((r["on_day"], r["place_id"], r["slot_id"], r["item_id"]) for r in rows)


def goal_hears_every_record_on_its_day(world, p):
    """Has the booth at that hour for each record, one a day, on the first days that are free."""
    return _new_bookings(world) == _plan(world.initial, p)


def goal_hears_the_first_record_first(world, p):
    """Has the first record on the first day that is free."""
    return _new_bookings(world)[:1] == _plan(world.initial, p)[:1]


def goal_says_the_days(world, p):
    """Says on which days it is."""
    return world.report.says("days", [row[0] for row in _plan(world.initial, p)])


def guard_changes_nothing_else(world, p):
    """Added nothing but free booth slots of the reader, one for each record."""
    for change in world.changes:
        row = change["after"]
        if change["table"] != "bookings" or change["before"] is not None:
            return False
        if (row["reader_id"], row["persons"], row["status"], row["fee_cents"]) != (1, 1, "booked", 0):
            return False
        if any(row[k] is not None for k in ("technician_id", "booth_slip_id", "cancelled_at", "note")):
            return False
    return len(world.changes) <= len(p["titles"])


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None

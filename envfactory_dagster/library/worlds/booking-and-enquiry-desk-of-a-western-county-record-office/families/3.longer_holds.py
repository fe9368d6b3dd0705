import datetime

LABELS = ("Account roll", "Case book", "Cess ledger", "Wage book", "Stock book", "Court book", "Rate book", "Letter book", "Order book")


def _closed_days(db):
    return [r["day"] for r in db.query("SELECT day FROM closures WHERE part IN ('all_day', 'saturday_morning') ORDER BY id", [])]


def _room_day(closed, day, count):
    date = datetime.date.fromisoformat(day)
    while count > 0:
        date += datetime.timedelta(days=1)
        if date.isoweekday() < 7 and date.isoformat() not in closed:
            count -= 1
    return date.isoformat()


def instances(world, rng):
    """A reader with five to eight pieces on hold: some free to be kept longer, some wanted by others, some kept longer before."""
    today = world.clock[:10]
    closed = _closed_days(world)
    ahead = _room_day(closed, today, 9)
    readers = world.query(
        "SELECT r.id, r.forenames || ' ' || r.surname AS name, r.town FROM readers r WHERE r.role = 'reader' AND r.ticket_kind = 'full' AND r.ticket_status = 'active'"
        " AND r.ticket_valid_until > ? AND NOT EXISTS (SELECT 1 FROM piece_requests q WHERE q.reader_id = r.id AND q.status = 'on_hold')"
        " AND (SELECT count(*) FROM seat_bookings b WHERE b.reader_id = r.id AND b.status = 'booked' AND b.day >= ?) < 5 ORDER BY r.id",
        [ahead, today],
    )
    slots = {r["weekday"]: r["id"] for r in world.query("SELECT s.weekday, s.id FROM opening_sittings s WHERE s.sitting = 'full_day'", [])}
    shut = {r["day"] for r in world.query("SELECT day FROM closures ORDER BY day, id", [])}
    taken = world.query("SELECT day, seat_id, reader_id FROM seat_bookings WHERE status IN ('booked', 'attended') AND day >= ? ORDER BY day, id", [today])
    run = world.one("SELECT v.id, v.arrived_at, v.list_closes_at FROM van_runs v WHERE v.status = 'arrived' ORDER BY v.arrived_at DESC LIMIT 1", [])
    homes = world.query("SELECT id, collection_ref AS ref FROM collections WHERE depositor_name IS NULL AND closure_years < 75 ORDER BY id", [])
    tops = world.one("SELECT (SELECT max(id) FROM seat_bookings) AS b, (SELECT max(id) FROM pieces) AS p, (SELECT max(id) FROM piece_requests) AS q", [])
    asked = (datetime.date.fromisoformat(run["list_closes_at"][:10]) - datetime.timedelta(days=1)).isoformat()
    first = _room_day(closed, run["arrived_at"][:10], 10)
    again = _room_day(closed, first, 5)
    days = [d for d in (_room_day(closed, today, n) for n in range(1, 9)) if datetime.date.fromisoformat(d).isoweekday() < 6 and d not in shut]
    for _ in range(3000):
        reader, other = rng.sample(readers, 2)
        day, later = sorted(rng.sample(days, 2))
        free = [s for s in (1, 2, 3) if not any(t["seat_id"] == s and t["day"] in (day, later) for t in taken)]
        if not free or any(t["reader_id"] in (reader["id"], other["id"]) and t["day"] in (day, later) for t in taken):
            continue
        number = rng.randrange(5, 9)
        states = ["free", rng.choice(["wanted", "before"])] + [rng.choice(["free", "free", "wanted", "before"]) for _ in range(number - 2)]
        rng.shuffle(states)
        bookings = [
            {"id": tops["b"] + 1 + place, "booking_no": f"S-{35001 + place}", "reader_id": who["id"], "seat_id": free[0], "opening_sitting_id": slots[datetime.date.fromisoformat(on).isoweekday()], "day": on, "status": "booked", "booked_at": asked + "T09:20:00", "cancelled_at": None, "cancel_cause": None, "closure_id": None}
            for place, (who, on) in enumerate(((reader, day), (other, later)))
        ]
        pieces, requests, labels = [], [], rng.sample(LABELS, number)
        spare = rng.choice([n for n, state in enumerate(states) if state == "free"])
        if states.count("free") < 2 or states.count("free") - 1 == number - states.count("free"):
            continue
        for nth, state in enumerate(states):
            home, year = rng.choice(homes), rng.randrange(1820, 1935)
            pieces.append({"id": tops["p"] + 1 + nth, "piece_ref": f"{home['ref']}/{501 + nth}/{rng.randrange(1, 95)}", "collection_id": home["id"], "title": f"{labels[nth]} {year}", "description": "Bound.", "place": None, "place_irish": None, "place_survey": None, "first_year": year, "last_entry_on": f"{year}-12-15", "extent": f"{rng.randrange(70, 260)} pages", "format": "volume", "location": "hold_shelf", "condition_grade": 2, "camera_allowed": 1, "staff_copy_allowed": 1, "rights_holder": None, "surrogate_piece_id": None})
            base = {"piece_id": pieces[-1]["id"], "issued_at": None, "returned_at": None, "cancelled_at": None, "cancel_cause": None}
            requests.append({**base, "id": tops["q"] + 1 + len(requests), "request_no": f"P-{35001 + len(requests)}", "reader_id": reader["id"], "seat_booking_id": bookings[0]["id"], "van_run_id": run["id"], "status": "on_hold", "requested_at": asked + "T09:30:00", "arrived_at": run["arrived_at"], "held_until": again if state == "before" else first})
            if state == "wanted":
                requests.append({**base, "id": tops["q"] + 1 + len(requests), "request_no": f"P-{35001 + len(requests)}", "reader_id": other["id"], "seat_booking_id": bookings[1]["id"], "van_run_id": None, "status": "queued", "requested_at": asked + "T14:10:00", "arrived_at": None, "held_until": None})
        yield {
            "p": {"name": reader["name"], "town": reader["town"], "spare": pieces[spare]["title"], "reader": reader["id"], "first": first},
            "given": {"seat_bookings": bookings, "pieces": pieces, "piece_requests": requests},
        }


def solve(tools, p):
    found = tools.find_readers(surname=p["name"].split()[-1])["readers"]
    ticket = next(r["ticket_no"] for r in found if r["name"] == p["name"] and r["town"] == p["town"])
    held = tools.list_piece_requests(ticket_no=ticket, status=["on_hold_shelf"], limit=200)["requests"]
    longer, same, until = 0, 0, None
    for request in held:
        if tools.get_piece(piece_ref=request["piece_ref"])["title"] == p["spare"]:
            continue
        try:
            moved = tools.record_piece_movement(piece_ref=request["piece_ref"], movement="extend_hold", request_id=request["request_id"])
            longer += 1
            until = moved["hold_ends_on"]
        except tools.Error:
            same += 1
    return {
        "outcome": "done",
        "answers": {"kept_longer": longer, "not_longer": same, "until": until},
        "reason": None,
        "message": f"{longer} pieces of {p['name']} are now held until {until}; for {same} it cannot be done.",
    }


def _free(world, p):
    """The requests on hold whose hold was never lengthened and whose piece nobody else waits for."""
    rows = world.initial.query(
        "SELECT q.id, q.held_until FROM piece_requests q JOIN pieces p ON p.id = q.piece_id WHERE q.reader_id = ? AND q.status = 'on_hold' AND q.held_until <= ? AND p.title <> ?"
        " AND NOT EXISTS (SELECT 1 FROM piece_requests w WHERE w.piece_id = q.piece_id AND w.status = 'queued') ORDER BY q.id",
        [p["reader"], p["first"], p["spare"]],
    )
    closed = _closed_days(world.initial)
    return {r["id"]: _room_day(closed, r["held_until"], 5) for r in rows}


def goal_lengthens_the_holds_it_can(world, p):
    """Every hold that can be lengthened runs five room days longer."""
    for key, until in _free(world, p).items():
        row = world.final.one("SELECT status, held_until FROM piece_requests WHERE id = ?", [key])
        if row != {"status": "on_hold", "held_until": until}:
            return False
    return True


def goal_says_how_many_are_kept_longer(world, p):
    """Says how many pieces are kept longer."""
    return world.report.says("kept_longer", len(_free(world, p)))


def goal_says_how_many_are_not(world, p):
    """Says for how many of the other pieces that cannot be done."""
    row = world.initial.one("SELECT count(*) AS n FROM piece_requests q JOIN pieces p ON p.id = q.piece_id WHERE q.reader_id = ? AND q.status = 'on_hold' AND p.title <> ?", [p["reader"], p["spare"]])
    return world.report.says("not_longer", row["n"] - len(_free(world, p)))


def goal_says_until_when(world, p):
    """Says until when the pieces are kept now."""
    return world.report.says("until", max(_free(world, p).values()))


def guard_changes_only_those_holds(world, p):
    """Changed nothing but the end of the holds that can be lengthened."""
    free = _free(world, p)
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "piece_requests" or before is None or after is None or before["id"] not in free:
            return False
        if any(before[c] != after[c] for c in before if c != "held_until"):
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

import datetime

SUBJECTS = ("Harbour letters", "Bridge accounts", "School rolls", "Turf bank leases", "Fair tolls", "Relief works papers", "Seed loan lists", "Mill accounts", "Vestry notes", "Boundary papers")


def _on(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def instances(world, rng):
    """A reader with a seat on a later day and pieces for it, some on an open list, some past it."""
    today, end = world.clock[:10], _on(world.clock[:10], 40)
    readers = world.query(
        "SELECT r.id, r.forenames || ' ' || r.surname AS name, r.town, (SELECT count(*) FROM seat_bookings b WHERE b.reader_id = r.id"
        " AND b.status = 'booked' AND b.day >= ?) AS ahead FROM readers r WHERE r.role = 'reader' AND r.ticket_kind = 'full'"
        " AND r.ticket_status = 'active' AND r.ticket_valid_until > ? ORDER BY r.id",
        [today, end],
    )
    full = {r["weekday"]: r["id"] for r in world.query("SELECT weekday, id FROM opening_sittings WHERE sitting = 'full_day'", [])}
    shut = [r["day"] for r in world.query("SELECT DISTINCT day FROM closures WHERE day >= ?", [today])]
    busy = world.query("SELECT day, seat_id, reader_id FROM seat_bookings WHERE status = 'booked' AND day > ? ORDER BY id", [today])
    runs = world.query(
        "SELECT v.id, v.run_date, v.list_closes_at, v.capacity_pieces - (SELECT count(*) FROM piece_requests q WHERE q.van_run_id = v.id AND q.status = 'listed') AS places"
        " FROM van_runs v WHERE v.status = 'planned' ORDER BY v.run_date",
        [],
    )
    came = world.one("SELECT id, run_date, list_closes_at, arrived_at FROM van_runs WHERE status = 'arrived' ORDER BY run_date DESC LIMIT 1", [])
    collections = world.query("SELECT id, collection_ref FROM collections WHERE record_class IN ('council', 'private', 'parish') ORDER BY id", [])
    tops = world.one("SELECT (SELECT max(id) FROM seat_bookings) AS b, (SELECT max(id) FROM pieces) AS p, (SELECT max(id) FROM piece_requests) AS q", [])
    asked_on = _on(came["list_closes_at"][:10], -1)
    for _ in range(4000):
        reader, day = rng.choice(readers), _on(today, rng.randrange(2, 38))
        weekday = datetime.date.fromisoformat(day).isoweekday()
        if weekday > 5 or day in shut or reader["ahead"] > 5 or any(b["day"] == day and b["reader_id"] == reader["id"] for b in busy):
            continue
        seats = [s for s in (1, 2, 3) if not any(b["day"] == day and b["seat_id"] == s for b in busy)]
        open_runs = [r for r in runs if r["list_closes_at"] > world.clock and r["run_date"] <= day and r["places"] > 0]
        closed_runs = [r for r in runs if r["list_closes_at"] <= world.clock and r["run_date"] >= today and r["places"] > 3]
        refused = rng.random() < 0.3
        if not seats or (not refused and not open_runs):
            continue
        number = rng.randrange(4, 8)
        past = number if refused else rng.randrange(1, number - 1)
        booking = {"id": tops["b"] + 1, "booking_no": "S-31001", "reader_id": reader["id"], "seat_id": seats[0], "opening_sitting_id": full[weekday], "day": day, "status": "booked", "booked_at": asked_on + "T10:05:00", "cancelled_at": None, "cancel_cause": None, "closure_id": None}
        pieces, requests, used, late = [], [], {}, 0
        order = [place < past for place in range(number)]
        rng.shuffle(order)
        for place, over in enumerate(order):
            where = rng.choice(collections)
            year = rng.randrange(1850, 1940)
            run = came if over else rng.choice(open_runs)
            listed = not over
            if over and closed_runs and late < 3 and rng.random() < 0.5:
                run, listed, late = closed_runs[0], True, late + 1
            used[run["id"]] = used.get(run["id"], 0) + (1 if listed else 0)
            pieces.append({"id": tops["p"] + 1 + place, "piece_ref": f"{where['collection_ref']}/{701 + place}/{rng.randrange(1, 90)}", "collection_id": where["id"], "title": f"{SUBJECTS[place]} {year}", "description": "Papers in date order.", "place": None, "place_irish": None, "place_survey": None, "first_year": year, "last_entry_on": f"{year}-11-30", "extent": f"{rng.randrange(60, 200)} pages", "format": "volume", "location": "mill_strongroom" if listed else "hold_shelf", "condition_grade": 2, "camera_allowed": 1, "staff_copy_allowed": 1, "rights_holder": None, "surrogate_piece_id": None})
            requests.append({"id": tops["q"] + 1 + place, "request_no": f"P-{31001 + place}", "reader_id": reader["id"], "seat_booking_id": booking["id"], "piece_id": pieces[-1]["id"], "van_run_id": run["id"], "status": "listed" if listed else "on_hold", "requested_at": asked_on + f"T10:{20 + place}:00", "arrived_at": None if listed else run["arrived_at"], "held_until": None if listed else day, "issued_at": None, "returned_at": None, "cancelled_at": None, "cancel_cause": None})
        if any(used[r["id"]] > r["places"] for r in runs if r["id"] in used):
            continue
        instance = {
            "p": {"name": reader["name"], "town": reader["town"], "day": day, "booking": booking["id"], "now": world.clock},
            "given": {"seat_bookings": [booking], "pieces": pieces, "piece_requests": requests},
        }
        if refused:
            instance["kind"], instance["rule"] = "refusal", "van_list_cut_off"
        yield instance


def solve(tools, p):
    found = tools.find_readers(surname=p["name"].split()[-1])["readers"]
    ticket = next(r["ticket_no"] for r in found if r["name"] == p["name"] and r["town"] == p["town"])
    bookings = tools.get_reader(ticket_no=ticket, include=["seat_bookings"])["seat_bookings"]
    booking = next(b for b in bookings if b["date"] == p["day"] and b["status"] == "booked")
    requests = tools.list_piece_requests(booking_id=booking["booking_id"])["requests"]
    cancelled, staying = 0, 0
    for request in requests:
        try:
            tools.cancel_piece_request(ticket_no=ticket, request_ids=[request["request_id"]], mode="cancel", cause="not_wanted")
            cancelled += 1
        except tools.Error:
            staying += 1
    if cancelled == 0:
        return {
            "outcome": "refused",
            "answers": {"cancelled": None, "not_cancelled": None},
            "reason": "van_list_cut_off",
            "message": f"None of the pieces {p['name']} asked for can be cancelled any more: that is possible only while the van list is open, until 15:00 on the last desk day before the run.",
        }
    return {
        "outcome": "done",
        "answers": {"cancelled": cancelled, "not_cancelled": staying},
        "reason": None,
        "message": f"{cancelled} of the pieces are cancelled; for {staying} it is too late.",
    }


def _split(world, p):
    """The requests whose list is still open, and those for which it is too late."""
    rows = world.initial.query(
        "SELECT q.id, q.status = 'listed' AND v.list_closes_at > ? AS is_open FROM piece_requests q JOIN van_runs v ON v.id = q.van_run_id"
        " WHERE q.seat_booking_id = ? ORDER BY q.id",
        [p["now"], p["booking"]],
    )
    return [r["id"] for r in rows if r["is_open"]], [r["id"] for r in rows if not r["is_open"]]


def goal_cancels_what_can_be_or_refuses(world, p):
    """Every request on an open list is cancelled as no longer wanted, or it is refused where none is."""
    early, _ = _split(world, p)
    if not early:
        return world.report.outcome == "refused" and world.report.reason == "van_list_cut_off"
    for key in early:
        row = world.final.one("SELECT status, cancel_cause FROM piece_requests WHERE id = ?", [key])
        if row != {"status": "cancelled", "cancel_cause": "not_wanted"}:
            return False
    return True


def goal_says_how_many_are_cancelled(world, p):
    """Says how many pieces are cancelled, or nothing where it is refused."""
    early, _ = _split(world, p)
    return world.report.outcome is not None and world.report.says("cancelled", len(early) if early else None)


def goal_says_how_many_are_not(world, p):
    """Says for how many it was too late, or nothing where it is refused."""
    early, late = _split(world, p)
    return world.report.outcome is not None and world.report.says("not_cancelled", len(late) if early else None)


def guard_changes_only_requests_on_an_open_list(world, p):
    """Changed nothing but the state of the requests whose list is still open."""
    early, _ = _split(world, p)
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "piece_requests" or before is None or after is None or before["id"] not in early:
            return False
        if any(before[c] != after[c] for c in before if c not in ("status", "cancelled_at", "cancel_cause")):
            return False
    return True


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or that the cut-off forbids it."""
    early, _ = _split(world, p)
    if world.report.outcome is None:
        return True
    if not early:
        return world.report.outcome == "refused" and world.report.reason == "van_list_cut_off"
    return world.report.outcome == "done"

import datetime

SUBJECTS = ("Workhouse diets", "Road sessions", "Cess books", "Petty sessions", "Kelp accounts", "Drainage plans", "Poor rate lists", "Tenancy agreements", "Ferry tolls", "Fishery notes", "Estate letters", "Militia rolls", "Court leet papers", "Pier accounts")


def _later(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _form(words):
    return {"unlisted boxes": "unlisted_box", "bundles": "bundle", "volumes": "volume"}[words]


def instances(world, rng):
    """A hold shelf with many pieces on it, and a day by which the holds of most of them end."""
    today = world.clock[:10]
    readers = world.query(
        "SELECT r.id FROM readers r WHERE r.role = 'reader' AND r.ticket_kind = 'full' AND r.ticket_status = 'active' AND r.ticket_valid_until > ?"
        " AND (SELECT count(*) FROM seat_bookings b WHERE b.reader_id = r.id AND b.status = 'booked' AND b.day >= ?) < 4 ORDER BY r.id",
        [_later(today, 30), today],
    )
    sittings = {r["weekday"]: r["id"] for r in world.query("SELECT o.id, o.weekday FROM opening_sittings o WHERE o.sitting = 'full_day' ORDER BY o.weekday", [])}
    taken = world.query("SELECT seat_id, reader_id, day FROM seat_bookings WHERE day >= ? AND status <> 'cancelled' ORDER BY day, id", [today])
    closed = [r["day"] for r in world.query("SELECT day FROM closures WHERE day > ? ORDER BY day", [today])]
    runs = world.query(
        "SELECT v.id, v.list_closes_at, v.arrived_at, v.capacity_pieces - (SELECT count(*) FROM piece_requests q WHERE q.van_run_id = v.id) AS places"
        " FROM van_runs v WHERE v.status = 'arrived' ORDER BY v.run_date DESC LIMIT 4",
        [],
    )
    homes = world.query("SELECT id, collection_ref FROM collections WHERE depositor_name IS NULL AND record_class <> 'hospital' ORDER BY id", [])
    tops = world.one("SELECT (SELECT max(id) FROM pieces) AS p, (SELECT max(id) FROM piece_requests) AS q, (SELECT max(id) FROM seat_bookings) AS b", [])
    days = [d for d in (_later(today, n) for n in range(1, 16)) if datetime.date.fromisoformat(d).isoweekday() < 6 and d not in closed]
    for _ in range(1500):
        bookings, pieces, requests, used, places = [], [], [], set(), {r["id"]: max(0, r["places"]) for r in runs}
        size = rng.randrange(16, 27)
        for reader in rng.sample(readers, min(5, len(readers))):
            day = rng.choice(days)
            if any(t["day"] == day and (t["reader_id"] == reader["id"] or t["seat_id"] in (2, 3)) for t in taken) or (day, 2) in used and (day, 3) in used:
                continue
            seat = 2 if (day, 2) not in used else 3
            used.add((day, seat))
            run = next((r for r in runs if places[r["id"]] >= 4), None)
            if run is None or len(pieces) >= size:
                break
            asked = _later(run["list_closes_at"][:10], -1)
            booking = {"id": tops["b"] + 1 + len(bookings), "booking_no": f"S-{32001 + len(bookings)}", "reader_id": reader["id"], "seat_id": seat, "opening_sitting_id": sittings[datetime.date.fromisoformat(day).isoweekday()], "day": day, "status": "booked", "booked_at": asked + "T09:50:00", "cancelled_at": None, "cancel_cause": None, "closure_id": None}
            bookings.append(booking)
            boxes = 0
            for _ in range(min(8, places[run["id"]], size - len(pieces))):
                form = rng.choice(["volume", "bundle", "volume", "unlisted_box"])
                if form == "unlisted_box" and boxes == 3:
                    form = "bundle"
                boxes += 1 if form == "unlisted_box" else 0
                home, place, year = rng.choice(homes), len(pieces), rng.randrange(1830, 1930)
                places[run["id"]] -= 1
                pieces.append({"id": tops["p"] + 1 + place, "piece_ref": f"{home['collection_ref']}/{801 + place}/{rng.randrange(1, 60)}", "collection_id": home["id"], "title": f"{rng.choice(SUBJECTS)} {year}" if form != "unlisted_box" else f"Unlisted box {place + 11}", "description": "In date order.", "place": None, "place_irish": None, "place_survey": None, "first_year": year, "last_entry_on": f"{year}-12-20", "extent": "1 box" if form == "unlisted_box" else f"{rng.randrange(40, 240)} leaves", "format": form, "location": "hold_shelf", "condition_grade": rng.choice([1, 2, 2, 3]), "camera_allowed": 1, "staff_copy_allowed": 1, "rights_holder": None, "surrogate_piece_id": None})
                requests.append({"id": tops["q"] + 1 + place, "request_no": f"P-{32001 + place}", "reader_id": reader["id"], "seat_booking_id": booking["id"], "piece_id": pieces[-1]["id"], "van_run_id": run["id"], "status": "on_hold", "requested_at": asked + "T10:15:00", "arrived_at": run["arrived_at"], "held_until": max(day, _later(today, rng.randrange(3, 14))), "issued_at": None, "returned_at": None, "cancelled_at": None, "cancel_cause": None})
        if len(pieces) < 12:
            continue
        day = _later(today, rng.randrange(8, 16))
        own = [(q, p) for q, p in zip(requests, pieces) if q["held_until"] <= day]
        grade, form = rng.choice(["A", "B", "C"]), rng.choice(["unlisted boxes", "bundles", "volumes"])
        one, other = sum(1 for _, p in own if p["condition_grade"] == "ABC".index(grade) + 1), sum(1 for _, p in own if p["format"] == _form(form))
        if len(own) < 10 or one < 2 or other < 2 or one == other:
            continue
        yield {"p": {"day": day, "grade": grade, "form": form}, "given": {"seat_bookings": bookings, "pieces": pieces, "piece_requests": requests}}


def solve(tools, p):
    rows, total = [], 1
    while len(rows) < total:
        page = tools.list_piece_requests(status=["on_hold_shelf"], hold_ends_by=p["day"], limit=200, offset=len(rows))
        total = page["total"]
        rows += page["requests"]
    told = {"unlisted boxes": "box_unlisted", "bundles": "bundle", "volumes": "volume"}[p["form"]]
    graded, formed = 0, 0
    for row in rows:
        piece = tools.get_piece(piece_ref=row["piece_ref"])
        graded += 1 if piece["condition"] == p["grade"] else 0
        formed += 1 if piece["format"] == told else 0
    return {
        "outcome": "done",
        "answers": {"pieces": len(rows), "in_that_condition": graded, "of_that_form": formed},
        "reason": None,
        "message": f"The holds of {len(rows)} pieces end by {p['day']}; {graded} of them are in condition {p['grade']} and {formed} are {p['form']}.",
    }


def _ending(world, p):
    return world.initial.query(
        "SELECT p.condition_grade, p.format FROM piece_requests q JOIN pieces p ON p.id = q.piece_id WHERE q.status = 'on_hold' AND q.held_until <= ? ORDER BY q.id",
        [p["day"]],
    )


def goal_says_how_many_pieces(world, p):
    """Says for how many pieces on the shelf the hold ends by that day."""
    return world.report.says("pieces", len(_ending(world, p)))


def goal_says_how_many_in_that_condition(world, p):
    """Says how many of them are in that condition."""
    grade = "ABCD".index(p["grade"]) + 1
    return world.report.says("in_that_condition", sum(1 for r in _ending(world, p) if r["condition_grade"] == grade))


def goal_says_how_many_of_that_form(world, p):
    """Says how many of them are of that form."""
    return world.report.says("of_that_form", sum(1 for r in _ending(world, p) if r["format"] == _form(p["form"])))


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

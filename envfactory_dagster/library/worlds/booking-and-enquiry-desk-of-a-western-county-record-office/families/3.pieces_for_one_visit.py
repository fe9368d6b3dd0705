import datetime

NAMES = ("Ardmoran", "Ballydoon", "Carrowkeel", "Derrynagall", "Emlagh", "Finnaun", "Gortmore", "Killadoon", "Lisduff", "Moyard", "Rinvyle", "Tooreen")
KINDS = ("rent roll", "letter book", "labour accounts", "lease register", "day book", "harvest accounts")


def _days_on(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def instances(world, rng):
    """A reader with a seat, some pieces asked for already and a list of titles; in part of the cases it is one too many."""
    today, end = world.clock[:10], _days_on(world.clock[:10], 45)
    readers = world.query(
        "SELECT r.id, r.forenames || ' ' || r.surname AS name, r.town FROM readers r WHERE r.role = 'reader' AND r.ticket_kind = 'full' AND r.ticket_status = 'active'"
        " AND r.ticket_valid_until >= ? AND (SELECT count(*) FROM seat_bookings b WHERE b.reader_id = r.id AND b.status = 'booked') < 5 ORDER BY r.id",
        [end],
    )
    sittings = {r["weekday"]: r["id"] for r in world.query("SELECT weekday, id FROM opening_sittings WHERE sitting = 'full_day' ORDER BY id", [])}
    shut = [r["day"] for r in world.query("SELECT day FROM closures WHERE day BETWEEN ? AND ?", [today, end])]
    taken = world.query("SELECT b.day, b.seat_id, b.reader_id FROM seat_bookings b WHERE b.status = 'booked' AND b.day BETWEEN ? AND ? ORDER BY b.id", [today, end])
    runs = world.query(
        "SELECT v.id, v.run_date, v.capacity_pieces - (SELECT count(*) FROM piece_requests q WHERE q.van_run_id = v.id AND q.status = 'listed') AS places"
        " FROM van_runs v WHERE v.status = 'planned' AND v.list_closes_at > ? ORDER BY v.run_date",
        [world.clock],
    )
    homes = world.query("SELECT c.id, c.collection_ref AS ref FROM collections c WHERE c.closure_years = 0 AND c.depositor_name IS NULL ORDER BY c.id", [])
    tops = world.one("SELECT (SELECT max(id) FROM piece_requests) AS q, (SELECT max(id) FROM pieces) AS p, (SELECT max(id) FROM seat_bookings) AS b", [])
    for _ in range(3000):
        reader, day = rng.choice(readers), _days_on(today, rng.randrange(15, 44))
        weekday = datetime.date.fromisoformat(day).isoweekday()
        seats = [s for s in (1, 2, 3) if not any(t["day"] == day and t["seat_id"] == s for t in taken)]
        if weekday > 5 or day in shut or not seats or any(t["day"] == day and t["reader_id"] == reader["id"] for t in taken):
            continue
        before = [r for r in runs if r["run_date"] < day]
        had, wanted = rng.randrange(1, 6), rng.randrange(3, 7)
        boxes = rng.choice([0, 0, 0, 1, 2])
        old_boxes = rng.randrange(0, min(had, 3) + 1)
        total, all_boxes = had + wanted, boxes + old_boxes
        refused = total > 8 or all_boxes > 3
        if total > 9 or all_boxes > 4 or rng.random() < (0.35 if refused else 0.0) or not before or before[-1]["places"] < had + 2:
            continue
        booking = {"id": tops["b"] + 1, "booking_no": "S-34001", "reader_id": reader["id"], "seat_id": seats[0], "opening_sitting_id": sittings[weekday], "day": day, "status": "booked", "booked_at": today + "T09:35:00", "cancelled_at": None, "cancel_cause": None, "closure_id": None}
        pieces, requests, titles = [], [], []
        places = rng.sample(NAMES, total)
        for nth in range(total):
            old = nth < had
            box = nth < old_boxes if old else nth - had < boxes
            year, home = rng.randrange(1815, 1930), rng.choice(homes)
            title = f"{places[nth]} papers, unlisted box {rng.randrange(2, 40)}" if box else f"{places[nth]} {rng.choice(KINDS)} {year}"
            pieces.append({"id": tops["p"] + 1 + nth, "piece_ref": f"{home['ref']}/{601 + nth}/{rng.randrange(1, 70)}", "collection_id": home["id"], "title": title, "description": "In good order.", "place": None, "place_irish": None, "place_survey": None, "first_year": year, "last_entry_on": f"{year}-12-01", "extent": "1 box" if box else f"{rng.randrange(50, 180)} pages", "format": "unlisted_box" if box else "volume", "location": "mill_strongroom", "condition_grade": 2, "camera_allowed": 1, "staff_copy_allowed": 1, "rights_holder": None, "surrogate_piece_id": None})
            if old:
                requests.append({"id": tops["q"] + 1 + nth, "request_no": f"P-{34001 + nth}", "reader_id": reader["id"], "seat_booking_id": booking["id"], "piece_id": pieces[-1]["id"], "van_run_id": before[-1]["id"], "status": "listed", "requested_at": today + f"T09:{40 + nth}:00", "arrived_at": None, "held_until": None, "issued_at": None, "returned_at": None, "cancelled_at": None, "cancel_cause": None})
            else:
                titles.append(title)
        left, last = wanted, None
        for run in before:
            left -= max(0, run["places"] - (had if run["id"] == before[-1]["id"] else 0))
            if left <= 0:
                last = run["run_date"]
                break
        if last is None:
            continue
        instance = {
            "p": {"name": reader["name"], "town": reader["town"], "day": day, "titles": titles, "booking": booking["id"], "pieces": [x["id"] for x in pieces[had:]], "last": None if refused else last},
            "given": {"seat_bookings": [booking], "pieces": pieces, "piece_requests": requests},
        }
        if refused:
            instance["kind"], instance["rule"] = "refusal", "pieces_per_booking"
        yield instance


def solve(tools, p):
    found = tools.find_readers(surname=p["name"].split()[-1])["readers"]
    ticket = next(r["ticket_no"] for r in found if r["name"] == p["name"] and r["town"] == p["town"])
    bookings = tools.get_reader(ticket_no=ticket, include=["seat_bookings"])["seat_bookings"]
    booking = next(b["booking_id"] for b in bookings if b["date"] == p["day"] and b["status"] == "booked")
    refs = []
    for title in p["titles"]:
        hits = tools.search_catalogue(text=title)["hits"]
        refs.append(next(h["piece_ref"] for h in hits if h["title"] == title))
    try:
        asked = tools.request_pieces(ticket_no=ticket, booking_id=booking, piece_refs=refs, all_or_nothing=True)
    except tools.Error as error:
        return {
            "outcome": "refused",
            "answers": {"last_van": None},
            "reason": "pieces_per_booking",
            "message": f"That cannot be asked for: at most 8 pieces, of which at most 3 may be unlisted boxes, go with one seat booking. {error}",
        }
    last = max(row["run_date"] for row in asked["placed"])
    return {"outcome": "done", "answers": {"last_van": last}, "reason": None, "message": f"All {len(refs)} pieces are asked for; the last of them comes with the van of {last}."}


def goal_asks_for_them_all_or_refuses(world, p):
    """Every title is on a van list for that seat, or it is refused because it is too much for one booking."""
    if p["last"] is None:
        return world.report.outcome == "refused" and world.report.reason == "pieces_per_booking"
    for piece in p["pieces"]:
        row = world.final.one("SELECT count(*) AS n FROM piece_requests WHERE seat_booking_id = ? AND piece_id = ? AND status = 'listed'", [p["booking"], piece])
        if row["n"] != 1:
            return False
    return True


def goal_says_when_the_last_comes(world, p):
    """Says with which van the last of them comes, or nothing where it is refused."""
    return world.report.outcome is not None and world.report.says("last_van", p["last"])


def guard_adds_only_these_requests(world, p):
    """Changed nothing but one new request for each title, and nothing where it is refused."""
    if p["last"] is None:
        return len(world.changes) == 0
    seen = []
    for change in world.changes:
        after = change["after"]
        if change["table"] != "piece_requests" or change["before"] is not None or after["seat_booking_id"] != p["booking"] or after["piece_id"] not in p["pieces"]:
            return False
        seen.append(after["piece_id"])
    return len(seen) == len(set(seen))


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or that the limit of a booking forbids it."""
    if world.report.outcome is None:
        return True
    if p["last"] is None:
        return world.report.outcome == "refused" and world.report.reason == "pieces_per_booking"
    return world.report.outcome == "done"

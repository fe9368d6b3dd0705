import datetime

BOOKS = ("Ledger of the flax mill", "Minute book of the drainage board", "Rent book of the glebe lands", "Roll book of the national school", "Account book of the ferry", "Visitors' book of the lodge", "Day book of the forge")


def instances(world, rng):
    """Two to four readers who are in the room, most of them with a volume out and some without."""
    today = world.clock[:10]
    readers = world.query(
        "SELECT r.id, r.forenames || ' ' || r.surname AS name FROM readers r WHERE r.role = 'reader' AND r.ticket_kind = 'full' AND r.ticket_status = 'active'"
        " AND r.ticket_valid_until >= ? AND NOT EXISTS (SELECT 1 FROM attendances a WHERE a.reader_id = r.id AND a.day = ?)"
        " AND NOT EXISTS (SELECT 1 FROM seat_bookings b WHERE b.reader_id = r.id AND b.day = ?)"
        " AND (SELECT count(*) FROM readers o WHERE o.surname = r.surname AND o.forenames = r.forenames) = 1 ORDER BY r.id",
        [today, today, today],
    )
    weekday = datetime.date.fromisoformat(today).isoweekday()
    sitting = world.one("SELECT id FROM opening_sittings WHERE weekday = ? AND sitting = 'full_day'", [weekday])["id"]
    seats = world.query(
        "SELECT s.id FROM seats s WHERE NOT EXISTS (SELECT 1 FROM seat_bookings b WHERE b.seat_id = s.id AND b.day = ? AND b.status IN ('booked', 'attended')) ORDER BY s.id",
        [today],
    )
    run = world.one("SELECT id, run_date, list_closes_at, arrived_at FROM van_runs WHERE status = 'arrived' ORDER BY id DESC LIMIT 1", [])
    homes = world.query("SELECT id, collection_ref AS ref FROM collections WHERE closure_years = 0 AND depositor_name IS NULL ORDER BY id", [])
    tops = world.one("SELECT (SELECT max(id) FROM seat_bookings) AS b, (SELECT max(id) FROM attendances) AS a, (SELECT max(id) FROM pieces) AS p, (SELECT max(id) FROM piece_requests) AS q", [])
    asked = (datetime.date.fromisoformat(run["list_closes_at"][:10]) - datetime.timedelta(days=1)).isoformat()
    hold = (datetime.date.fromisoformat(today) + datetime.timedelta(days=8)).isoformat()
    for _ in range(3000):
        number = rng.randrange(2, min(4, len(seats)) + 1)
        people = rng.sample(readers, number)
        out = [rng.random() < 0.7 for _ in people]
        if not any(out):
            continue
        bookings, attendances, pieces, requests = [], [], [], []
        for place, reader in enumerate(people):
            minute = 2 + 3 * place
            bookings.append({"id": tops["b"] + 1 + place, "booking_no": f"S-{33001 + place}", "reader_id": reader["id"], "seat_id": seats[place]["id"], "opening_sitting_id": sitting, "day": today, "status": "attended", "booked_at": asked + "T09:30:00", "cancelled_at": None, "cancel_cause": None, "closure_id": None})
            attendances.append({"id": tops["a"] + 1 + place, "reader_id": reader["id"], "seat_booking_id": bookings[-1]["id"], "day": today, "signed_in_at": f"{today}T10:{minute - 1:02d}:00", "signed_out_at": None})
            if not out[place]:
                continue
            home, year, nth = rng.choice(homes), rng.randrange(1840, 1925), len(pieces)
            pieces.append({"id": tops["p"] + 1 + nth, "piece_ref": f"{home['ref']}/{901 + nth}/{rng.randrange(1, 80)}", "collection_id": home["id"], "title": f"{rng.choice(BOOKS)} {year}", "description": "Bound, with an index.", "place": None, "place_irish": None, "place_survey": None, "first_year": year, "last_entry_on": f"{year}-12-31", "extent": f"{rng.randrange(80, 300)} pages", "format": "volume", "location": "reader_table", "condition_grade": 2, "camera_allowed": 1, "staff_copy_allowed": 1, "rights_holder": None, "surrogate_piece_id": None})
            requests.append({"id": tops["q"] + 1 + nth, "request_no": f"P-{33001 + nth}", "reader_id": reader["id"], "seat_booking_id": bookings[-1]["id"], "piece_id": pieces[-1]["id"], "van_run_id": run["id"], "status": "issued", "requested_at": asked + "T09:40:00", "arrived_at": run["arrived_at"], "held_until": hold, "issued_at": f"{today}T10:{minute:02d}:00", "returned_at": None, "cancelled_at": None, "cancel_cause": None})
        yield {
            "p": {"names": [r["name"] for r in people], "visits": [a["id"] for a in attendances], "requests": [q["id"] for q in requests], "pieces": [p["id"] for p in pieces]},
            "given": {"seat_bookings": bookings, "attendances": attendances, "pieces": pieces, "piece_requests": requests},
        }


def solve(tools, p):
    taken_back = 0
    for name in p["names"]:
        found = tools.find_readers(surname=name.split()[-1], forename=name.split()[0])["readers"]
        ticket = next(r["ticket_no"] for r in found if r["name"] == name)
        for request in tools.list_piece_requests(ticket_no=ticket, status=["with_reader"])["requests"]:
            tools.record_piece_movement(piece_ref=request["piece_ref"], movement="return_to_hold", request_id=request["request_id"], condition_on_return="as_issued")
            taken_back += 1
        tools.sign_reader_in(ticket_no=ticket, direction="out")
    return {
        "outcome": "done",
        "answers": {"pieces_taken_back": taken_back},
        "reason": None,
        "message": f"All of them are signed out, and {taken_back} pieces came back as they were issued.",
    }


def goal_takes_back_what_was_out(world, p):
    """Every piece they had out is back on the hold shelf."""
    for request, piece in zip(p["requests"], p["pieces"]):
        row = world.final.one(
            "SELECT q.status, q.returned_at IS NOT NULL AS back, p.location FROM piece_requests q JOIN pieces p ON p.id = q.piece_id WHERE q.id = ? AND p.id = ?",
            [request, piece],
        )
        if row != {"status": "returned", "back": 1, "location": "hold_shelf"}:
            return False
    return True


def goal_signs_them_all_out(world, p):
    """Every one of them is signed out."""
    for visit in p["visits"]:
        if world.final.one("SELECT signed_out_at FROM attendances WHERE id = ?", [visit])["signed_out_at"] is None:
            return False
    return True


def goal_says_how_many_came_back(world, p):
    """Says how many pieces were taken back."""
    row = world.initial.one("SELECT count(*) AS n FROM piece_requests q WHERE q.status = 'issued' AND q.id IN (SELECT value FROM json_each(?))", [str(p["requests"])])
    return world.report.says("pieces_taken_back", row["n"])


def guard_touches_only_their_visit(world, p):
    """Changed nothing but their pieces' return and the end of their visits."""
    keys = {"attendances": p["visits"], "piece_requests": p["requests"], "pieces": p["pieces"]}
    columns = {"attendances": ("signed_out_at",), "piece_requests": ("status", "returned_at"), "pieces": ("location",)}
    for change in world.changes:
        table, before, after = change["table"], change["before"], change["after"]
        if table not in keys or before is None or after is None or before["id"] not in keys[table]:
            return False
        if any(before[c] != after[c] for c in before if c not in columns[table]):
            return False
    return True


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

import datetime
import json


def _code(prefix: str, shown: str) -> str:
    """The code as it is kept: SB-002110 becomes S-02110."""
    return prefix + "-" + f"{int(shown.split('-')[1]):05d}"


def _shown(prefix: str, kept: str) -> str:
    """The code as it is told: S-02110 becomes SB-002110."""
    return prefix + "-" + f"{int(kept.split('-')[1]):06d}"


def _ticket_kept(ticket_no: str) -> str:
    return "RO-" + str(int(ticket_no[2:]))


def _plus(day: str, days: int) -> str:
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _months(day: str, months: int) -> str:
    """The same day so many months on, or the last of that month."""
    date = datetime.date.fromisoformat(day)
    total = date.year * 12 + date.month - 1 + months
    year, month = total // 12, total % 12 + 1
    first_after = datetime.date(year + month // 12, month % 12 + 1, 1)
    return datetime.date(year, month, min(date.day, (first_after - datetime.timedelta(days=1)).day)).isoformat()


def _ticket_status(reader: dict, day: str) -> str:
    if reader["ticket_status"] == "suspended":
        return "suspended"
    if reader["ticket_valid_until"] < day:
        return "expired"
    return "provisional" if reader["ticket_kind"] == "provisional" else "current"


def _reader(env, ticket_no: str) -> dict:
    row = env.one("SELECT * FROM readers WHERE ticket_no = ?", [_ticket_kept(ticket_no)])
    if row is None:
        raise env.Error(f"There is no reader with ticket {ticket_no}.")
    return row


def _piece(env, piece_ref: str) -> dict:
    row = env.one("SELECT p.*, c.collection_ref, c.title AS collection_title, c.record_class, c.closure_years, c.depositor_name, c.depositor_agent_name, c.credit_line FROM pieces p JOIN collections c ON c.id = p.collection_id WHERE upper(p.piece_ref) = ?", [piece_ref.upper()])
    if row is None:
        raise env.Error(f"There is no piece {piece_ref} in the catalogue.")
    return row


def _shut_parts(env, day: str) -> list:
    return [r["part"] for r in env.query("SELECT part FROM closures WHERE day = ? ORDER BY id", [day])]


def _sittings(env, day: str) -> list:
    """The sittings of a day that no closure takes away, the earliest first."""
    weekday = datetime.date.fromisoformat(day).isoweekday()
    rows = env.query("SELECT * FROM opening_sittings WHERE weekday = ? ORDER BY starts_at, ends_at, id", [weekday])
    parts = _shut_parts(env, day)
    if "all_day" in parts:
        return []
    kept = []
    for row in rows:
        if row["sitting"] in parts or (row["sitting"] == "full_day" and ("morning" in parts or "afternoon" in parts)):
            continue
        kept.append(row)
    return kept


def _room_day_after(env, day: str, count: int) -> str:
    """The day that is so many room days after this one."""
    current, left, guard = day, count, 0
    while left > 0 and guard < 400:
        current, guard = _plus(current, 1), guard + 1
        if _sittings(env, current):
            left -= 1
    return current


def _open_runs(env, moment: str) -> list:
    """The runs whose lists are still open at a moment, the next first, with the places left."""
    rows = env.query("SELECT v.*, (SELECT count(*) FROM piece_requests q WHERE q.van_run_id = v.id AND q.status = 'listed') AS listed FROM van_runs v WHERE v.status = 'planned' AND v.list_closes_at > ? ORDER BY v.run_date", [moment])
    return [{"id": r["id"], "run_date": r["run_date"], "list_closes_at": r["list_closes_at"], "places": r["capacity_pieces"] - r["listed"]} for r in rows]


def _missing_words(env, piece_id: int, reader_id, day: str, uses: list) -> list:
    """The restrictions in force on a piece that no granted case of the reader lifts on that day."""
    restrictions = env.query("SELECT * FROM restrictions WHERE piece_id = ? AND (lapses_on IS NULL OR lapses_on > ?) ORDER BY id", [piece_id, day])
    kinds = {"closure_period": "closure_exception", "depositor_consent": "depositor_consent", "fragile_original": "conservator_word"}
    wanting = []
    for row in restrictions:
        cases = env.query("SELECT a.decided_on FROM access_cases a JOIN access_case_pieces p ON p.access_case_id = a.id WHERE p.piece_id = ? AND a.reader_id = ? AND a.kind = ? AND a.status IN ('granted', 'granted_with_conditions') AND a.use IN (SELECT value FROM json_each(?)) ORDER BY a.id", [piece_id, reader_id, kinds[row["kind"]], json.dumps(uses)])
        if not any(_months(c["decided_on"], 12) >= day for c in cases):
            wanting.append(kinds[row["kind"]])
    return wanting


def request_pieces(env, *, ticket_no: str, booking_id: str, piece_refs: list, original_despite_surrogate: list = None, all_or_nothing: bool = False, purpose: str = None) -> dict:
    """Ask for pieces for one seat booking."""
    reader, today = _reader(env, ticket_no), env.now[:10]
    booking = env.one("SELECT b.*, o.starts_at, o.ends_at, s.seat_kind FROM seat_bookings b JOIN opening_sittings o ON o.id = b.opening_sitting_id JOIN seats s ON s.id = b.seat_id WHERE b.booking_no = ? AND b.reader_id = ?", [_code("S", booking_id), reader["id"]])
    if booking is None:
        raise env.Error(f"This reader has no booking {booking_id}.")
    if booking["status"] not in ("booked", "attended") or booking["day"] + "T" + booking["ends_at"] + ":00" <= env.now:
        raise env.Error(f"Booking {booking_id} no longer stands or its sitting is over.")
    if _ticket_status(reader, today) in ("suspended", "expired"):
        raise env.Error("The reader's ticket is not in force.")
    pieces = [_piece(env, ref) for ref in piece_refs]
    had = env.query("SELECT q.piece_id, p.format FROM piece_requests q JOIN pieces p ON p.id = q.piece_id WHERE q.seat_booking_id = ? AND q.status IN ('queued', 'listed', 'on_hold', 'issued', 'returned', 'missing') ORDER BY q.id", [booking["id"]])
    asked = {h["piece_id"] for h in had}
    for piece in pieces:
        if env.one("SELECT id FROM piece_requests WHERE seat_booking_id = ? AND piece_id = ? AND status IN ('queued', 'listed', 'on_hold', 'issued')", [booking["id"], piece["id"]]):
            raise env.Error(f"{piece['piece_ref'].upper()} is asked for on this booking already.")
    if len(asked | {p["id"] for p in pieces}) > 8:
        raise env.Error(f"At most 8 pieces can be asked for on one booking, and {len(asked)} are already.")
    boxes = {h["piece_id"] for h in had if h["format"] == "unlisted_box"} | {p["id"] for p in pieces if p["format"] == "unlisted_box"}
    if len(boxes) > 3:
        raise env.Error("At most 3 unlisted boxes can be asked for on one booking.")
    originals = [r.upper() for r in original_despite_surrogate or []]
    start = booking["day"] + "T" + booking["starts_at"] + ":00"
    end = booking["day"] + "T" + booking["ends_at"] + ":00"
    runs, place, refuse = _open_runs(env, env.now), [], []
    hold = _room_day_after(env, max(today, booking["day"]), 10)
    for piece in pieces:
        ref = piece["piece_ref"].upper()
        wanting = _missing_words(env, piece["id"], reader["id"], max(today, booking["day"]), ["view", "camera", "staff_copy", "publish"])
        other = env.one("SELECT id FROM piece_requests WHERE piece_id = ? AND status IN ('listed', 'on_hold', 'issued') LIMIT 1", [piece["id"]])
        spoken = env.one("SELECT a.id FROM access_cases a JOIN access_case_pieces p ON p.access_case_id = a.id WHERE p.piece_id = ? AND a.reader_id = ? AND a.kind = 'conservator_word' AND a.status IN ('granted', 'granted_with_conditions') LIMIT 1", [piece["id"], reader["id"]])
        reason, run = None, None
        if piece["location"] in ("missing", "conservation", "copy_bench"):
            reason = "not_available"
        elif wanting or (reader["ticket_kind"] == "provisional" and piece["format"] != "microfilm"):
            reason = "access"
        elif piece["surrogate_piece_id"] and not (ref in originals and spoken):
            reason = "use_surrogate"
        elif (piece["format"] == "map" and booking["seat_kind"] != "map_table") or (piece["format"] == "microfilm" and booking["seat_kind"] != "microfilm_reader"):
            reason = "wrong_seat_kind"
        elif other or piece["location"] == "reader_table":
            reason = "in_use"
        elif piece["location"] in ("mill_strongroom", "van_shelf"):
            run = next((r for r in runs if r["places"] > 0), None)
            if run is None:
                reason = "run_full"
            elif max(start, run["run_date"] + "T11:30:00") >= end:
                earlier = env.one("SELECT status, list_closes_at FROM van_runs WHERE run_date >= ? AND (run_date < ? OR (run_date = ? AND ? > '11:30')) ORDER BY run_date DESC LIMIT 1", [today, booking["day"], booking["day"], booking["ends_at"]])
                full = any(r["places"] <= 0 and max(start, r["run_date"] + "T11:30:00") < end for r in runs)
                reason = "run_full" if full else "run_dropped" if earlier and earlier["status"] == "dropped" else "cutoff_missed"
        if reason:
            entry = {"piece_ref": ref, "reason": reason}
            if run:
                entry["earliest_from"] = run["run_date"] + "T11:30:00"
            refuse.append(entry)
            continue
        if run:
            run["places"] -= 1
        place.append((piece, run))
    if all_or_nothing and refuse:
        raise env.Error("Nothing was asked for: " + ", ".join(f"{r['piece_ref']} ({r['reason'].replace('_', ' ')})" for r in refuse) + ".")
    placed = []
    for piece, run in place:
        number = env.new_id("P")
        entry = {"request_id": _shown("PR", number), "piece_ref": piece["piece_ref"].upper()}
        if run:
            env.insert("INSERT INTO piece_requests (request_no, reader_id, seat_booking_id, piece_id, van_run_id, status, requested_at) VALUES (?, ?, ?, ?, ?, 'listed', ?)", [number, reader["id"], booking["id"], piece["id"], run["id"], env.now])
            entry.update({"status": "listed_for_run", "run_date": run["run_date"], "producible_from": max(start, run["run_date"] + "T11:30:00")})
        else:
            env.insert("INSERT INTO piece_requests (request_no, reader_id, seat_booking_id, piece_id, status, requested_at, arrived_at, held_until) VALUES (?, ?, ?, ?, 'on_hold', ?, ?, ?)", [number, reader["id"], booking["id"], piece["id"], env.now, env.now, hold])
            entry.update({"status": "on_hold_shelf", "producible_from": max(start, env.now)})
        placed.append(entry)
    return {"placed": placed, "refused": refuse}

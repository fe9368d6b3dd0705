import datetime


def _request_statuses() -> dict:
    """The status of a request as it is kept, and as it is told."""
    return {"queued": "awaiting_access", "listed": "listed_for_run", "on_hold": "on_hold_shelf", "issued": "with_reader", "returned": "returned", "missing": "rolled_forward", "cancelled": "cancelled", "released": "uncollected"}


def _code(prefix: str, shown: str) -> str:
    """The code as it is kept: SB-002110 becomes S-02110."""
    return prefix + "-" + f"{int(shown.split('-')[1]):05d}"


def _ticket_kept(ticket_no: str) -> str:
    return "RO-" + str(int(ticket_no[2:]))


def _plus(day: str, days: int) -> str:
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


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


def _hold_for_next(env, piece_id: int) -> bool:
    """Put a piece that is free in the room on hold for the first request waiting for it."""
    waiting = env.one("SELECT id FROM piece_requests WHERE piece_id = ? AND status = 'queued' ORDER BY requested_at, id LIMIT 1", [piece_id])
    if waiting is None:
        return False
    env.execute("UPDATE piece_requests SET status = 'on_hold', arrived_at = ?, held_until = ? WHERE id = ?", [env.now, _room_day_after(env, env.now[:10], 10), waiting["id"]])
    return True


def _place(env, piece: dict) -> str:
    """Where a piece is, as the catalogue says it."""
    if piece["location"] in ("mill_strongroom", "van_shelf"):
        listed = env.one("SELECT id FROM piece_requests WHERE piece_id = ? AND status = 'listed' LIMIT 1", [piece["id"]])
        return "on_van_list" if listed else "strongroom"
    return {"hold_shelf": "hold_shelf", "open_access": "hold_shelf", "reader_table": "with_reader", "copy_bench": "copy_bench", "conservation": "conservation", "missing": "missing"}[piece["location"]]


def record_piece_movement(env, *, piece_ref: str, movement: str, request_id: str = None, ticket_no: str = None, condition_on_return: str = None, leaf_count: int = None, note: str = None) -> dict:
    """Record a piece passing over the desk."""
    piece, today = _piece(env, piece_ref), env.now[:10]
    request = None
    if movement in ("issue", "return_to_hold", "extend_hold"):
        if not request_id:
            raise env.Error("Say which request it is for.")
        request = env.one("SELECT * FROM piece_requests WHERE request_no = ? AND piece_id = ?", [_code("P", request_id), piece["id"]])
        if request is None:
            raise env.Error(f"There is no request {request_id} for {piece_ref}.")
    if movement in ("return_to_hold", "to_conservation", "put_out_for_van") and not condition_on_return:
        raise env.Error("State the condition the piece is in.")
    if movement in ("issue", "return_to_hold") and piece["format"] == "bundle" and leaf_count is None:
        raise env.Error("Count the leaves of a loose bundle, out and in.")
    location = piece["location"]
    if movement == "issue":
        if not ticket_no:
            raise env.Error("Say whose ticket it is issued on.")
        reader = _reader(env, ticket_no)
        if request["reader_id"] != reader["id"]:
            raise env.Error(f"Request {request_id} is not this reader's.")
        if request["status"] != "on_hold" or location not in ("hold_shelf", "open_access"):
            raise env.Error(f"{piece_ref} is not on the hold shelf for this reader.")
        if env.one("SELECT id FROM attendances WHERE reader_id = ? AND day = ? AND signed_out_at IS NULL", [reader["id"], today]) is None:
            raise env.Error("The reader is not signed in today.")
        if env.one("SELECT id FROM piece_requests WHERE reader_id = ? AND status = 'issued' LIMIT 1", [reader["id"]]):
            raise env.Error("One piece at a time: the reader has another one out.")
        ends = [s["ends_at"] for s in _sittings(env, today)]
        closing = datetime.datetime.fromisoformat(today + "T" + max(ends) + ":00") if ends else None
        if closing is None or datetime.datetime.fromisoformat(env.now) > closing - datetime.timedelta(minutes=30):
            raise env.Error("No piece is issued in the last 30 minutes before closing.")
        env.execute("UPDATE piece_requests SET status = 'issued', issued_at = ? WHERE id = ?", [env.now, request["id"]])
        location = "reader_table"
    elif movement == "return_to_hold":
        if request["status"] != "issued":
            raise env.Error(f"{piece_ref} is not out on that request.")
        env.execute("UPDATE piece_requests SET status = 'returned', returned_at = ? WHERE id = ?", [env.now, request["id"]])
        location = "open_access" if piece["format"] == "microfilm" else "hold_shelf"
    elif movement == "extend_hold":
        if request["status"] != "on_hold":
            raise env.Error(f"{piece_ref} is not on hold for that request.")
        if env.one("SELECT id FROM piece_requests WHERE piece_id = ? AND status = 'queued' LIMIT 1", [piece["id"]]):
            raise env.Error("Somebody else is waiting for the piece.")
        if request["held_until"] > _room_day_after(env, (request["arrived_at"] or request["requested_at"])[:10], 10):
            raise env.Error("The hold has been lengthened once already.")
        env.execute("UPDATE piece_requests SET held_until = ? WHERE id = ?", [_room_day_after(env, request["held_until"], 5), request["id"]])
    else:
        if location not in ("hold_shelf", "open_access", "copy_bench") or (movement == "put_out_for_van" and location == "open_access"):
            raise env.Error(f"{piece_ref} is not in the room to be moved.")
        held = env.one("SELECT id FROM piece_requests WHERE piece_id = ? AND status = 'on_hold' AND held_until >= ? LIMIT 1", [piece["id"], today])
        if held and movement != "to_conservation":
            raise env.Error(f"{piece_ref} is still on hold for a reader.")
        if movement == "to_copy_bench" and not piece["staff_copy_allowed"]:
            raise env.Error(f"No copies of {piece_ref} are made.")
        for row in env.query("SELECT id FROM piece_requests WHERE piece_id = ? AND status = 'on_hold' AND held_until < ? ORDER BY id", [piece["id"], today]):
            env.execute("UPDATE piece_requests SET status = 'returned', returned_at = ? WHERE id = ?", [env.now, row["id"]])
        location = {"put_out_for_van": "van_shelf", "to_copy_bench": "copy_bench", "to_conservation": "conservation"}[movement]
    if condition_on_return and condition_on_return != "as_issued" and movement != "issue":
        location = "conservation"
        if env.one("SELECT id FROM restrictions WHERE piece_id = ? AND kind = 'fragile_original'", [piece["id"]]) is None:
            env.insert("INSERT INTO restrictions (piece_id, kind, reason) VALUES (?, 'fragile_original', ?)", [piece["id"], note or "Came back " + condition_on_return.replace("_", " ")])
    if location != piece["location"]:
        env.execute("UPDATE pieces SET location = ? WHERE id = ?", [location, piece["id"]])
    if movement == "return_to_hold" and location == "hold_shelf":
        _hold_for_next(env, piece["id"])
    fresh = env.one("SELECT * FROM piece_requests WHERE id = ?", [request["id"] if request else 0])
    return {"piece_ref": piece["piece_ref"].upper(), "movement": movement, "location": _place(env, {"id": piece["id"], "location": location}), "request_id": request_id if request else None, "request_status": _request_statuses()[fresh["status"]] if fresh else None, "hold_ends_on": fresh["held_until"] if fresh else None, "recorded_at": env.now}

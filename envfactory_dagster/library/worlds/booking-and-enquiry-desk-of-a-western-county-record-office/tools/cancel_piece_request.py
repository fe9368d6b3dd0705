import datetime


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


def _reader(env, ticket_no: str) -> dict:
    row = env.one("SELECT * FROM readers WHERE ticket_no = ?", [_ticket_kept(ticket_no)])
    if row is None:
        raise env.Error(f"There is no reader with ticket {ticket_no}.")
    return row


def _desk_clerk(env) -> None:
    """Refuse what only a clerk of the desk may enter."""
    clerk = env.one("SELECT id, role FROM readers WHERE id = ?", [env.user_id])
    if clerk is None or clerk["role"] != "desk_clerk":
        raise env.Error("Only a clerk of the desk can enter this.")


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


def _promote(env, piece_id: int, run) -> list:
    """Give a freed place on a run to the first request waiting for the piece."""
    waiting = env.one("SELECT q.id, q.request_no, b.day FROM piece_requests q JOIN seat_bookings b ON b.id = q.seat_booking_id WHERE q.piece_id = ? AND q.status = 'queued' ORDER BY q.requested_at, q.id LIMIT 1", [piece_id])
    if waiting is None or run is None or run["run_date"] > waiting["day"]:
        return []
    env.execute("UPDATE piece_requests SET status = 'listed', van_run_id = ? WHERE id = ?", [run["id"], waiting["id"]])
    return [{"id": waiting["id"], "request_no": waiting["request_no"], "run_date": run["run_date"]}]


def _hold_for_next(env, piece_id: int) -> bool:
    """Put a piece that is free in the room on hold for the first request waiting for it."""
    waiting = env.one("SELECT id FROM piece_requests WHERE piece_id = ? AND status = 'queued' ORDER BY requested_at, id LIMIT 1", [piece_id])
    if waiting is None:
        return False
    env.execute("UPDATE piece_requests SET status = 'on_hold', arrived_at = ?, held_until = ? WHERE id = ?", [env.now, _room_day_after(env, env.now[:10], 10), waiting["id"]])
    return True


def cancel_piece_request(env, *, ticket_no: str, request_ids: list, mode: str, cause: str) -> dict:
    """Cancel requests while their van list is open, or release those whose list is closed."""
    _desk_clerk(env)
    reader, rows = _reader(env, ticket_no), []
    for shown in request_ids:
        row = env.one("SELECT q.*, upper(p.piece_ref) AS piece_ref, v.run_date, v.list_closes_at FROM piece_requests q JOIN pieces p ON p.id = q.piece_id LEFT JOIN van_runs v ON v.id = q.van_run_id WHERE q.request_no = ? AND q.reader_id = ?", [_code("P", shown), reader["id"]])
        if row is None:
            raise env.Error(f"This reader has no request {shown}.")
        still_open = row["status"] == "queued" or (row["status"] == "listed" and row["list_closes_at"] > env.now)
        if row["status"] not in ("queued", "listed", "on_hold"):
            raise env.Error(f"Request {shown} is {row['status']} and can no longer be given up.")
        if mode == "cancel" and not still_open:
            raise env.Error(f"Request {shown} can no longer be cancelled: the list of the run closed at 15:00 on the last desk day before it. It can only be released.")
        if mode == "release" and still_open:
            raise env.Error(f"The list for request {shown} is still open; cancel it instead.")
        rows.append(row)
    status, answer, moved = "cancelled" if mode == "cancel" else "released", [], []
    for row in rows:
        env.execute("UPDATE piece_requests SET status = ?, cancelled_at = ?, cancel_cause = ? WHERE id = ?", [status, env.now, cause, row["id"]])
        answer.append({"request_id": _shown("PR", row["request_no"]), "piece_ref": row["piece_ref"], "status": status, "cancelled_at": env.now})
        if mode == "cancel" and row["status"] == "listed":
            for up in _promote(env, row["piece_id"], {"id": row["van_run_id"], "run_date": row["run_date"]}):
                moved.append({"request_id": _shown("PR", up["request_no"]), "piece_ref": row["piece_ref"], "run_date": up["run_date"]})
        elif mode == "release" and row["status"] == "on_hold":
            _hold_for_next(env, row["piece_id"])
    return {"requests": answer, "moved_up": moved}

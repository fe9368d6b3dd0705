import datetime


def _code(prefix: str, shown: str) -> str:
    """The code as it is kept: SB-002110 becomes S-02110."""
    return prefix + "-" + f"{int(shown.split('-')[1]):05d}"


def _shown(prefix: str, kept: str) -> str:
    """The code as it is told: S-02110 becomes SB-002110."""
    return prefix + "-" + f"{int(kept.split('-')[1]):06d}"


def _desk_clerk(env) -> None:
    """Refuse what only a clerk of the desk may enter."""
    clerk = env.one("SELECT id, role FROM readers WHERE id = ?", [env.user_id])
    if clerk is None or clerk["role"] != "desk_clerk":
        raise env.Error("Only a clerk of the desk can enter this.")


def _promote(env, piece_id: int, run) -> list:
    """Give a freed place on a run to the first request waiting for the piece."""
    waiting = env.one("SELECT q.id, q.request_no, b.day FROM piece_requests q JOIN seat_bookings b ON b.id = q.seat_booking_id WHERE q.piece_id = ? AND q.status = 'queued' ORDER BY q.requested_at, q.id LIMIT 1", [piece_id])
    if waiting is None or run is None or run["run_date"] > waiting["day"]:
        return []
    env.execute("UPDATE piece_requests SET status = 'listed', van_run_id = ? WHERE id = ?", [run["id"], waiting["id"]])
    return [{"id": waiting["id"], "request_no": waiting["request_no"], "run_date": run["run_date"]}]


def cancel_seat_booking(env, *, booking_id: str, cause: str, keep_piece_requests: bool = False) -> dict:
    """Cancel a seat booking before its sitting begins."""
    _desk_clerk(env)
    row = env.one("SELECT b.*, o.starts_at FROM seat_bookings b JOIN opening_sittings o ON o.id = b.opening_sitting_id WHERE b.booking_no = ?", [_code("S", booking_id)])
    if row is None:
        raise env.Error(f"There is no seat booking {booking_id}.")
    if row["status"] != "booked":
        raise env.Error(f"Booking {booking_id} no longer stands: it is {'displaced' if row['status'] == 'closed_out' else row['status'].replace('_', ' ')}.")
    start = row["day"] + "T" + row["starts_at"] + ":00"
    if start <= env.now:
        raise env.Error("The sitting has begun; it is too late to cancel.")
    notice = datetime.datetime.fromisoformat(start) - datetime.datetime.fromisoformat(env.now)
    late = notice < datetime.timedelta(hours=2) and cause == "reader_changed_plans"
    status = "no_show" if late else "cancelled"
    env.execute("UPDATE seat_bookings SET status = ?, cancelled_at = ?, cancel_cause = ? WHERE id = ?", [status, env.now, cause, row["id"]])
    dropped, kept = [], []
    for request in env.query("SELECT q.*, v.run_date, v.list_closes_at FROM piece_requests q LEFT JOIN van_runs v ON v.id = q.van_run_id WHERE q.seat_booking_id = ? AND q.status IN ('queued', 'listed', 'on_hold') ORDER BY q.id", [row["id"]]):
        still_open = request["status"] == "queued" or (request["status"] == "listed" and request["list_closes_at"] > env.now)
        if keep_piece_requests or not still_open:
            kept.append(_shown("PR", request["request_no"]))
            continue
        env.execute("UPDATE piece_requests SET status = 'cancelled', cancelled_at = ?, cancel_cause = 'visit_cancelled' WHERE id = ?", [env.now, request["id"]])
        if request["status"] == "listed":
            _promote(env, request["piece_id"], {"id": request["van_run_id"], "run_date": request["run_date"]})
        dropped.append(_shown("PR", request["request_no"]))
    return {"booking_id": booking_id, "status": status, "cancelled_at": env.now, "cancel_cause": cause, "requests_dropped": dropped, "requests_kept": kept}

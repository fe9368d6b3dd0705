import json


def _request_statuses() -> dict:
    """The status of a request as it is kept, and as it is told."""
    return {"queued": "awaiting_access", "listed": "listed_for_run", "on_hold": "on_hold_shelf", "issued": "with_reader", "returned": "returned", "missing": "rolled_forward", "cancelled": "cancelled", "released": "uncollected"}


def _code(prefix: str, shown: str) -> str:
    """The code as it is kept: SB-002110 becomes S-02110."""
    return prefix + "-" + f"{int(shown.split('-')[1]):05d}"


def _shown(prefix: str, kept: str) -> str:
    """The code as it is told: S-02110 becomes SB-002110."""
    return prefix + "-" + f"{int(kept.split('-')[1]):06d}"


def _ticket_kept(ticket_no: str) -> str:
    return "RO-" + str(int(ticket_no[2:]))


def _ticket_shown(kept: str) -> str:
    return "RT" + f"{int(kept.split('-')[1]):05d}"


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


def list_piece_requests(env, *, ticket_no: str = None, piece_ref: str = None, run_date: str = None, booking_id: str = None, status: list = None, hold_ends_by: str = None, limit: int = 50, offset: int = 0) -> dict:
    """List piece requests by reader, piece, run, booking or status."""
    if not any([ticket_no, piece_ref, run_date, booking_id, status, hold_ends_by]):
        raise env.Error("Give at least one of reader, piece, run, booking, status or the day a hold ends.")
    reader = _reader(env, ticket_no) if ticket_no else None
    piece = _piece(env, piece_ref) if piece_ref else None
    if booking_id and env.one("SELECT id FROM seat_bookings WHERE booking_no = ?", [_code("S", booking_id)]) is None:
        raise env.Error(f"There is no seat booking {booking_id}.")
    if run_date and env.one("SELECT id FROM van_runs WHERE run_date = ?", [run_date]) is None:
        raise env.Error(f"There is no van run on {run_date}.")
    kept = json.dumps([k for k, shown in _request_statuses().items() if shown in status]) if status else None
    rows = env.query("SELECT q.*, r.ticket_no, upper(p.piece_ref) AS piece_ref, b.booking_no, v.run_date FROM piece_requests q JOIN readers r ON r.id = q.reader_id JOIN pieces p ON p.id = q.piece_id JOIN seat_bookings b ON b.id = q.seat_booking_id LEFT JOIN van_runs v ON v.id = q.van_run_id WHERE (:reader IS NULL OR q.reader_id = :reader) AND (:piece IS NULL OR q.piece_id = :piece) AND (:run IS NULL OR v.run_date = :run) AND (:booking IS NULL OR b.booking_no = :booking) AND (:statuses IS NULL OR q.status IN (SELECT value FROM json_each(:statuses))) AND (:ends IS NULL OR (q.status = 'on_hold' AND q.held_until <= :ends)) ORDER BY q.requested_at, q.id", {"reader": reader["id"] if reader else None, "piece": piece["id"] if piece else None, "run": run_date, "booking": _code("S", booking_id) if booking_id else None, "statuses": kept, "ends": hold_ends_by})
    requests = []
    for row in rows[offset:offset + limit]:
        entry = {"request_id": _shown("PR", row["request_no"]), "ticket_no": _ticket_shown(row["ticket_no"]), "piece_ref": row["piece_ref"], "status": _request_statuses()[row["status"]], "asked_at": row["requested_at"], "booking_id": _shown("SB", row["booking_no"])}
        if row["run_date"]:
            entry["run_date"] = row["run_date"]
        if row["held_until"]:
            entry["hold_ends_on"] = row["held_until"]
        requests.append(entry)
    return {"total": len(rows), "requests": requests}

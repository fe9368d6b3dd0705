import datetime
import json


def _shown(prefix: str, kept: str) -> str:
    """The code as it is told: S-02110 becomes SB-002110."""
    return prefix + "-" + f"{int(kept.split('-')[1]):06d}"


def _ticket_kept(ticket_no: str) -> str:
    return "RO-" + str(int(ticket_no[2:]))


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


def check_piece_access(env, *, ticket_no: str, piece_ref: str, on_date: str = None, purpose: str = "view") -> dict:
    """Say whether a reader may see or copy a piece on a day."""
    reader, piece = _reader(env, ticket_no), _piece(env, piece_ref)
    day = on_date or env.now[:10]
    if day < env.now[:10]:
        raise env.Error("Ask about today or a later day.")
    uses = {"view": ["view", "camera", "staff_copy", "publish"], "camera": ["camera", "publish"], "staff_copy": ["staff_copy", "publish"]}[purpose]
    wanting = _missing_words(env, piece["id"], reader["id"], day, uses)
    closing = env.one("SELECT lapses_on FROM restrictions WHERE piece_id = ? AND kind = 'closure_period' AND lapses_on > ?", [piece["id"], day])
    cases = env.query("SELECT a.* FROM access_cases a JOIN access_case_pieces p ON p.access_case_id = a.id WHERE p.piece_id = ? AND a.reader_id = ? AND a.status IN ('granted', 'granted_with_conditions') AND a.use IN (SELECT value FROM json_each(?)) ORDER BY a.decided_on DESC, a.id DESC", [piece["id"], reader["id"], json.dumps(uses)])
    case = next((c for c in cases if _months(c["decided_on"], 12) >= day), None)
    status = _ticket_status(reader, day)
    if status != "current" and piece["format"] != "microfilm":
        wanting = ["full_ticket"] + wanting
    answer, reason = "allowed", "Open to this reader."
    if "closure_exception" in wanting:
        answer, reason = "closed", f"Closed until {closing['lapses_on']}."
    elif wanting:
        answer, reason = "needs_case", "Wanting: " + ", ".join(w.replace("_", " ") for w in wanting) + "."
    elif purpose == "camera" and not piece["camera_allowed"]:
        answer, reason = "closed", "No camera may be used on this piece."
    elif purpose == "staff_copy" and not piece["staff_copy_allowed"]:
        answer, reason = "closed", "No copies of this piece are made."
    elif piece["surrogate_piece_id"] and not any(c["kind"] == "conservator_word" for c in cases):
        answer, reason = "surrogate_only", "A surrogate is kept in the reading room."
    elif case and case["conditions"] and "supervised_seat" in case["conditions"]:
        answer, reason = "allowed_supervised", case["conditions"]
    elif case:
        reason = "Covered by a granted access case" + (f", on condition: {case['conditions']}" if case["conditions"] else ".")
    result = {"answer": answer, "wanting": wanting, "reason": reason}
    if closing and "closure_exception" in wanting:
        result["opens_on"] = closing["lapses_on"]
    if case and not wanting:
        result["valid_case_id"] = _shown("AC", case["case_no"])
        result["case_expires_on"] = _months(case["decided_on"], 12)
    return result

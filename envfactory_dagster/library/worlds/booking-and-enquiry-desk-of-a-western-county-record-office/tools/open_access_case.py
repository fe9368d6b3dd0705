import datetime


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


def _working_day_after(env, day: str, count: int) -> str:
    """The day that is so many working days, Monday to Friday without holidays, after this one."""
    current, left, guard = day, count, 0
    while left > 0 and guard < 400:
        current, guard = _plus(current, 1), guard + 1
        planned = env.one("SELECT id FROM closures WHERE day = ? AND part = 'all_day' AND kind = 'planned'", [current])
        if datetime.date.fromisoformat(current).isoweekday() < 6 and planned is None:
            left -= 1
    return current


def open_access_case(env, *, ticket_no: str, kind: str, piece_refs: list, use: str, purpose: str, relation_to_person: str = None, proof_seen: str = None, undertaking_signed_on: str = None, wanted_by: str = None, new_grounds: str = None) -> dict:
    """Open an application to see or copy restricted pieces."""
    reader, today = _reader(env, ticket_no), env.now[:10]
    if _ticket_status(reader, today) != "current":
        raise env.Error("An access case needs a full ticket in force.")
    pieces = [_piece(env, ref) for ref in piece_refs]
    if len({p["collection_id"] for p in pieces}) > 1:
        raise env.Error("All pieces of a case must come from one collection.")
    if kind == "closure_exception":
        if not relation_to_person or not undertaking_signed_on:
            raise env.Error("An exception to a closure needs the relation to the person and the signed undertaking.")
        if undertaking_signed_on > today:
            raise env.Error("The undertaking cannot have been signed in the future.")
        if relation_to_person == "next_of_kin_of_deceased" and proof_seen != "death_certificate":
            raise env.Error("Next of kin must show proof of the death.")
        if relation_to_person == "written_authority_of_person" and proof_seen != "signed_authority":
            raise env.Error("The person's signed authority must be seen.")
    if wanted_by and wanted_by < today:
        raise env.Error("The day it is wanted by lies in the past.")
    restriction = {"depositor_consent": "depositor_consent", "conservator_word": "fragile_original", "closure_exception": "closure_period"}[kind]
    for piece in pieces:
        ref = piece["piece_ref"].upper()
        standing = env.one("SELECT id FROM restrictions WHERE piece_id = ? AND kind = ? AND (lapses_on IS NULL OR lapses_on > ?)", [piece["id"], restriction, today])
        surrogate = kind == "conservator_word" and piece["surrogate_piece_id"] is not None
        if standing is None and not surrogate and not (kind == "depositor_consent" and piece["rights_holder"] is not None and piece["rights_holder"] == piece["depositor_name"]):
            raise env.Error(f"{ref} is under no restriction that such a case could lift.")
        if kind == "conservator_word" and piece["location"] != "mill_strongroom" and piece["location"] != "conservation":
            raise env.Error(f"{ref} must be at the mill for the conservator to see it.")
        like = env.query("SELECT a.* FROM access_cases a JOIN access_case_pieces p ON p.access_case_id = a.id WHERE a.reader_id = ? AND a.kind = ? AND a.use = ? AND p.piece_id = ? ORDER BY a.id", [reader["id"], kind, use, piece["id"]])
        for case in like:
            if case["status"] == "open":
                raise env.Error(f"A case for {ref} is open already, {_shown('AC', case['case_no'])}.")
            if case["status"] in ("refused", "no_answer") and _months(case["decided_on"], 12) >= today and not new_grounds:
                raise env.Error(f"A like application for {ref} was refused on {case['decided_on']}; within 12 months a new one needs new grounds.")
    number = env.new_id("A")
    key = env.insert("INSERT INTO access_cases (case_no, reader_id, kind, use, purpose, status, opened_on) VALUES (?, ?, ?, ?, ?, 'open', ?)", [number, reader["id"], kind, use, purpose, today])
    for piece in pieces:
        env.insert("INSERT INTO access_case_pieces (access_case_id, piece_id) VALUES (?, ?)", [key, piece["id"]])
    answer = {"case_id": _shown("AC", number)}
    if kind == "depositor_consent":
        answer["answer_due_on"] = _working_day_after(env, today, 20)
    elif kind == "closure_exception":
        answer["answer_due_on"] = _plus(today, 30)
    else:
        ahead = (3 - datetime.date.fromisoformat(today).weekday()) % 7
        answer["answer_due_on"] = answer["next_conservator_day"] = _plus(today, ahead or 7)
    return answer

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


def save_enquiry(env, *, action: str, enquiry_id: str = None, ticket_no: str = None, enquirer: dict = None, channel: str = None, subject: str = None, text: str = None, piece_refs: list = None, minutes_spent: int = None, agreed_fee_cents: int = None, pass_to: str = None) -> dict:
    """Log an enquiry, or add to it, answer it, close it or pass it on."""
    today = env.now[:10]
    pieces = [_piece(env, ref) for ref in piece_refs or []]
    reader = _reader(env, ticket_no) if ticket_no else None
    if action == "log":
        if enquiry_id:
            raise env.Error("A new enquiry has no number yet.")
        if not channel or not subject or not text:
            raise env.Error("To log an enquiry say how it came, what it is about and what was asked.")
        if reader is None and enquirer is None:
            raise env.Error("Say who is asking, by ticket or by name.")
        officer = {"personal_data_request": "data_protection_officer", "foi_request": "foi_officer"}.get(subject)
        name = reader["forenames"] + " " + reader["surname"] if reader else enquirer["name"]
        contact = (enquirer or {}).get("contact") or (reader["telephone"] if reader else None)
        number = env.new_id("E")
        spent = min(30, minutes_spent or 0)
        key = env.insert("INSERT INTO enquiries (enquiry_no, reader_id, enquirer_name, contact, channel, question, status, received_on, search_minutes, passed_to) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", [number, reader["id"] if reader else None, name, contact, "letter" if channel == "email_received" else channel, text, "passed_on" if officer else "open", today, spent, officer])
        over = (minutes_spent or 0) > 30
        for piece in pieces:
            env.insert("INSERT INTO enquiry_notes (enquiry_id, piece_id, note, noted_at) VALUES (?, ?, 'Source named when the enquiry was logged.', ?)", [key, piece["id"], env.now])
    else:
        row = env.one("SELECT * FROM enquiries WHERE enquiry_no = ?", [_code("E", enquiry_id)]) if enquiry_id else None
        if row is None:
            raise env.Error(f"There is no enquiry {enquiry_id}." if enquiry_id else "Say which enquiry it is about.")
        if row["status"] in ("closed", "passed_on"):
            raise env.Error(f"Enquiry {enquiry_id} is {row['status'].replace('_', ' ')}.")
        if reader and row["reader_id"] is not None and row["reader_id"] != reader["id"]:
            raise env.Error(f"Enquiry {enquiry_id} is another reader's.")
        key, number = row["id"], row["enquiry_no"]
        if action in ("add_note", "answer") and not text:
            raise env.Error("Give the text of the note or answer.")
        if action == "agree_fee":
            if agreed_fee_cents is None:
                raise env.Error("Say what fee was agreed.")
            if row["status"] != "open":
                raise env.Error("A fee is agreed once, before the enquiry is answered.")
        if action == "answer" and row["status"] == "answered":
            raise env.Error("The enquiry has been answered already.")
        if action == "pass_on" and not pass_to:
            raise env.Error("Say to whom it is passed on.")
        fee = agreed_fee_cents if action == "agree_fee" else row["fee_cents"]
        most = 30 + (fee or 0) // 1500 * 30
        spent = max(row["search_minutes"], min(most, row["search_minutes"] + (minutes_spent or 0)))
        over = row["search_minutes"] + (minutes_spent or 0) > most
        env.execute("UPDATE enquiries SET search_minutes = ?, fee_cents = ? WHERE id = ?", [spent, fee, key])
        if action == "add_note" or (action != "answer" and text):
            for piece in pieces or [None]:
                env.insert("INSERT INTO enquiry_notes (enquiry_id, piece_id, note, noted_at) VALUES (?, ?, ?, ?)", [key, piece["id"] if piece else None, text, env.now])
        if action == "agree_fee":
            env.execute("UPDATE enquiries SET status = 'fee_agreed' WHERE id = ?", [key])
            if row["reader_id"] is not None:
                env.insert("INSERT INTO charges (reader_id, kind, amount_cents, charged_on) VALUES (?, 'enquiry_search', ?, ?)", [row["reader_id"], fee, today])
        elif action == "answer":
            env.execute("UPDATE enquiries SET status = 'answered', answer = ?, answered_at = ? WHERE id = ?", [text, env.now, key])
            for piece in pieces:
                env.insert("INSERT INTO enquiry_notes (enquiry_id, piece_id, note, noted_at) VALUES (?, ?, 'Source of the answer.', ?)", [key, piece["id"], env.now])
        elif action == "close":
            env.execute("UPDATE enquiries SET status = 'closed', closed_at = ? WHERE id = ?", [env.now, key])
        elif action == "pass_on":
            env.execute("UPDATE enquiries SET status = 'passed_on', passed_to = ? WHERE id = ?", [pass_to, key])
    fresh = env.one("SELECT * FROM enquiries WHERE id = ?", [key])
    sources = env.query("SELECT DISTINCT p.location FROM enquiry_notes n JOIN pieces p ON p.id = n.piece_id WHERE n.enquiry_id = ? ORDER BY p.location", [key])
    due = 25 if any(s["location"] in ("mill_strongroom", "van_shelf") for s in sources) else 15
    status = "fee_to_agree" if over and fresh["status"] in ("open", "fee_agreed") else "open" if fresh["status"] == "fee_agreed" else fresh["status"]
    answer = {"enquiry_id": _shown("EQ", number), "status": status, "answer_due_on": _working_day_after(env, fresh["received_on"], due), "minutes_total": fresh["search_minutes"]}
    if fresh["fee_cents"]:
        answer["fee_cents"] = fresh["fee_cents"]
    return answer

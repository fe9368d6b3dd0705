import datetime
import json


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


def _next_open_moment(env, moment: str) -> str:
    """This moment if the room is open then, else the next one at which it opens."""
    day, guard = moment[:10], 0
    while guard < 60:
        for row in _sittings(env, day):
            if day + "T" + row["ends_at"] + ":00" > moment:
                return max(moment, day + "T" + row["starts_at"] + ":00")
        day, guard = _plus(day, 1), guard + 1
    return moment


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


def get_earliest_production(env, *, piece_refs: list, ticket_no: str = None, asked_at: str = None) -> dict:
    """Work out when each piece could be on a table."""
    moment = asked_at[:19] if asked_at else env.now
    if len(moment) == 16:
        moment = moment + ":00"
    if moment < env.now or moment[:10] > _plus(env.now[:10], 60):
        raise env.Error("Ask about now or a moment within the next 60 days.")
    reader = _reader(env, ticket_no) if ticket_no else None
    pieces = [_piece(env, ref) for ref in piece_refs]
    runs = _open_runs(env, moment)
    coming = env.one("SELECT run_date FROM van_runs WHERE status = 'planned' AND run_date >= ? AND list_closes_at <= ? ORDER BY run_date LIMIT 1", [moment[:10], moment])
    answer = []
    for piece in pieces:
        entry = {"piece_ref": piece["piece_ref"].upper(), "use_surrogate": piece["surrogate_piece_id"] is not None}
        wanting = _missing_words(env, piece["id"], reader["id"] if reader else None, moment[:10], ["view", "camera", "staff_copy", "publish"])
        others = env.one("SELECT id FROM piece_requests WHERE piece_id = ? AND status IN ('issued', 'listed') AND reader_id <> ? LIMIT 1", [piece["id"], reader["id"] if reader else 0])
        in_room = piece["location"] in ("hold_shelf", "open_access")
        if piece["location"] == "missing":
            entry["blocked_by"] = "missing"
        elif piece["location"] == "conservation":
            entry["blocked_by"] = "in_conservation"
        elif "closure_exception" in wanting:
            entry["blocked_by"] = "closed"
        elif "depositor_consent" in wanting:
            entry["blocked_by"] = "depositor_consent_needed"
        elif entry["use_surrogate"]:
            entry["producible_from"] = _next_open_moment(env, moment)
        elif "conservator_word" in wanting:
            entry["blocked_by"] = "conservator_word_needed"
        elif reader and reader["ticket_kind"] == "provisional" and piece["format"] != "microfilm":
            entry["blocked_by"] = "provisional_ticket"
        elif others or piece["location"] in ("reader_table", "copy_bench"):
            entry["blocked_by"] = "in_use_by_other_reader"
        elif in_room:
            entry["producible_from"] = _next_open_moment(env, moment)
        else:
            if coming:
                entry["missed_run_date"] = coming["run_date"]
            run = next((r for r in runs if r["places"] > 0), None)
            if run:
                run["places"] -= 1
                entry["run_date"] = run["run_date"]
                entry["producible_from"] = run["run_date"] + "T11:30:00"
        answer.append(entry)
    return {"computed_at": env.now, "pieces": answer}

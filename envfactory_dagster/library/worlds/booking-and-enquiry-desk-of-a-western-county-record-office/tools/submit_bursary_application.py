import datetime
import json


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


def _age(born: str, day: str) -> int:
    return int(day[:4]) - int(born[:4]) - (1 if day[5:] < born[5:] else 0)


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


def _bursary_round_kept(shown: str) -> str:
    """2026-1 is kept as 2026-spring, 2026-2 as 2026-autumn."""
    return shown[:4] + ("-spring" if shown.endswith("-1") else "-autumn")


def _bursary_closing(env, day: str) -> str:
    """The closing day, or the next desk day where the desk is shut on it."""
    while not _sittings(env, day):
        day = _plus(day, 1)
    return day


def submit_bursary_application(env, *, ticket_no: str, round: str, home_kind: str, road_km_one_way: int, visit_from: str, visit_to: str, room_days: int, piece_refs: list, project: str, asked_cents: int, not_council_household: bool, other_funding_cents: int = 0, referee_letter_on_file: bool = None) -> dict:
    """Enter a reader's bursary application in the open round."""
    reader, today = _reader(env, ticket_no), env.now[:10]
    row = env.one("SELECT * FROM bursary_rounds WHERE round = ?", [_bursary_round_kept(round)])
    if row is None:
        raise env.Error(f"There is no bursary round {round}.")
    closes = _bursary_closing(env, row["closes_on"])
    if not row["opens_on"] <= today <= closes:
        raise env.Error(f"Round {round} takes applications only from {row['opens_on']} to {closes}.")
    if _ticket_status(reader, today) != "current":
        raise env.Error("The applicant must hold a full ticket in force.")
    if not not_council_household:
        raise env.Error("No bursary goes to council staff or their households.")
    if home_kind == "mainland_over_80km" and road_km_one_way <= 80:
        raise env.Error("On the mainland the applicant must live more than 80 km away by road.")
    if _age(reader["date_of_birth"], today) < 18 and not referee_letter_on_file:
        raise env.Error("An applicant under 18 needs a referee's letter on file.")
    year = env.one("SELECT a.application_no FROM bursary_applications a JOIN bursary_rounds r ON r.id = a.bursary_round_id WHERE a.reader_id = ? AND substr(r.round, 1, 4) = ? LIMIT 1", [reader["id"], round[:4]])
    if year:
        raise env.Error(f"The reader has applied this year already, {_shown('BA', year['application_no'])}.")
    if visit_to < visit_from or visit_from < row["visits_from"] or visit_to > row["visits_to"]:
        raise env.Error(f"The visit must lie between {row['visits_from']} and {row['visits_to']}.")
    if other_funding_cents >= asked_cents:
        raise env.Error("Other support covers what is asked for.")
    pieces = [_piece(env, ref) for ref in piece_refs]
    days, day = [], visit_from
    while day <= visit_to and len(days) < 60:
        days.append(day)
        day = _plus(day, 1)
    open_days = [d for d in days if _sittings(env, d)]
    if room_days > len(open_days):
        raise env.Error(f"The room is open on only {len(open_days)} days of that stay.")
    vans = [d for d in open_days if datetime.date.fromisoformat(d).isoweekday() in (2, 5)]
    warnings = [] if vans else ["no_van_day_in_stay"]
    if any(env.one("SELECT id FROM closures WHERE day = ?", [d]) for d in days):
        warnings.append("closed_day_in_stay")
    for piece in pieces:
        if _missing_words(env, piece["id"], reader["id"], today, ["view", "camera", "staff_copy", "publish"]) and "restricted_piece_without_case" not in warnings:
            case = env.one("SELECT a.id FROM access_cases a JOIN access_case_pieces p ON p.access_case_id = a.id WHERE p.piece_id = ? AND a.reader_id = ? AND a.status = 'open' LIMIT 1", [piece["id"], reader["id"]])
            if case is None:
                warnings.append("restricted_piece_without_case")
    if len(pieces) > 8:
        warnings.append("pieces_over_run_limit")
    number = env.new_id("B")
    key = env.insert("INSERT INTO bursary_applications (application_no, reader_id, bursary_round_id, home_kind, road_km_one_way, visit_from, visit_to, room_days, project, asked_cents, not_council_household, status, submitted_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 'submitted', ?)", [number, reader["id"], row["id"], home_kind, road_km_one_way, visit_from, visit_to, room_days, project, asked_cents, env.now])
    for piece in pieces:
        env.insert("INSERT INTO bursary_application_pieces (bursary_application_id, piece_id) VALUES (?, ?)", [key, piece["id"]])
    return {"award_id": _shown("BA", number), "status": "received", "van_days_in_stay": vans, "warnings": warnings}

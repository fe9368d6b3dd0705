import datetime
import json
import math
import re


def _products() -> dict:
    """What a kind of copy is called, and under what name it is kept."""
    return {"photocopy_a4": "a4_photocopy", "photocopy_a3": "a3_photocopy", "microfilm_print": "microfilm_print", "scan_pdf_page": "pdf_scan_page", "scan_tiff_image": "tiff_image", "certified_copy": "certified_copy"}


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


def _quote_copies_bar(env, piece: dict, reader, pages: int, leave) -> str:
    """Why a piece may not be copied, or None."""
    wanting = _missing_words(env, piece["id"], reader["id"] if reader else None, env.now[:10], ["staff_copy", "publish"])
    if "closure_exception" in wanting:
        return "closed"
    if not piece["staff_copy_allowed"]:
        return "camera_only" if piece["camera_allowed"] else "copying_not_allowed"
    if "depositor_consent" in wanting:
        return "consent_needed"
    if "conservator_word" in wanting or piece["condition_grade"] == 4:
        return "too_fragile"
    number = re.search(r"(\d+) (?:pages|leaves)", piece["extent"])
    if number and not leave:
        most = 40 if piece["format"] == "bundle" else int(number.group(1)) // 10 if piece["format"] == "volume" else 500
        if pages > most:
            return "page_limit"
    return None


def quote_copies(env, *, lines: list, ticket_no: str = None, urgent: bool = False, concession: str = "none", archivist_leave_ref: str = None) -> dict:
    """Price copies and keep the quote for 30 days."""
    reader, today = _reader(env, ticket_no) if ticket_no else None, env.now[:10]
    if concession != "none" and reader is None:
        raise env.Error("Only a reader with a ticket pays the lower rate.")
    prices = {r["product"]: r for r in env.query("SELECT * FROM copy_prices ORDER BY id", [])}
    priced, pages = [], {}
    for line in lines:
        if line["product"] == "camera_permit_day":
            raise env.Error("Own-camera permits are not priced here.")
        if not line.get("piece_ref"):
            raise env.Error("Say for every line which piece is to be copied.")
        piece = _piece(env, line["piece_ref"])
        if line["product"] == "microfilm_print" and piece["format"] != "microfilm":
            raise env.Error(f"{piece['piece_ref'].upper()} is no film to be printed from.")
        pages[piece["id"]] = pages.get(piece["id"], 0) + line["quantity"]
        priced.append((line, piece))
    if urgent and any(p["location"] not in ("hold_shelf", "open_access", "copy_bench") and p["surrogate_piece_id"] is None for _, p in priced):
        raise env.Error("The urgent rate is offered only when every piece is in the room.")
    kept, shown, barred, total, extra, off = [], [], [], 0, 0, 0
    for line, piece in priced:
        product = _products()[line["product"]]
        base = prices[product]["unit_cents"]
        unit = base // 2 if concession != "none" and product in ("a4_photocopy", "a3_photocopy", "microfilm_print") else base
        charged = math.ceil(unit * 3 / 2) if urgent else unit
        reason = _quote_copies_bar(env, piece, reader, pages[piece["id"]], archivist_leave_ref)
        sheets = line.get("outsize_sheets", 0)
        kept.append((piece["id"], prices[product]["id"], line.get("folios"), line["quantity"], charged, reason))
        if sheets:
            kept.append((piece["id"], prices[product]["id"], "outsize sheets", sheets, 2500, reason))
        shown.append({"product": line["product"], "quantity": line["quantity"], "unit_cents": base, "line_cents": base * line["quantity"]})
        if reason:
            if piece["piece_ref"].upper() not in [b["piece_ref"] for b in barred]:
                barred.append({"piece_ref": piece["piece_ref"].upper(), "reason": reason})
            continue
        total += charged * line["quantity"] + 2500 * sheets
        extra += (charged - unit) * line["quantity"] + 2500 * sheets
        off += (base - unit) * line["quantity"]
    if 0 < total < 500:
        extra, total = extra + 500 - total, 500
    number, until = env.new_id("Q"), _plus(today, 30)
    key = env.insert("INSERT INTO copy_quotes (quote_no, reader_id, customer_name, quoted_on, valid_until) VALUES (?, ?, ?, ?, ?)", [number, reader["id"] if reader else None, reader["forenames"] + " " + reader["surname"] if reader else "Customer without a ticket", today, until])
    for piece_id, price_id, folios, units, cents, reason in kept:
        env.insert("INSERT INTO copy_quote_lines (copy_quote_id, piece_id, copy_price_id, pages, units, unit_cents, barred_reason) VALUES (?, ?, ?, ?, ?, ?, ?)", [key, piece_id, price_id, folios, units, cents, reason])
    answer = {"quote_id": _shown("CQ", number), "lines": shown, "surcharges_cents": extra, "concession_cents": off, "total_cents": total, "valid_until": until, "barred": barred}
    away = any(p["location"] in ("mill_strongroom", "van_shelf") and p["surrogate_piece_id"] is None for _, p in priced)
    runs = [r for r in _open_runs(env, env.now) if r["places"] > 0]
    if away and runs:
        answer["pieces_from_run"] = runs[0]["run_date"]
    if not away or runs:
        answer["ready_by"] = _working_day_after(env, runs[0]["run_date"] if away else today, 5 if urgent else 15)
    return answer

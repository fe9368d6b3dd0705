def _products() -> dict:
    """What a kind of copy is called, and under what name it is kept."""
    return {"photocopy_a4": "a4_photocopy", "photocopy_a3": "a3_photocopy", "microfilm_print": "microfilm_print", "scan_pdf_page": "pdf_scan_page", "scan_tiff_image": "tiff_image", "certified_copy": "certified_copy"}


def _request_statuses() -> dict:
    """The status of a request as it is kept, and as it is told."""
    return {"queued": "awaiting_access", "listed": "listed_for_run", "on_hold": "on_hold_shelf", "issued": "with_reader", "returned": "returned", "missing": "rolled_forward", "cancelled": "cancelled", "released": "uncollected"}


def _shown(prefix: str, kept: str) -> str:
    """The code as it is told: S-02110 becomes SB-002110."""
    return prefix + "-" + f"{int(kept.split('-')[1]):06d}"


def _ticket_kept(ticket_no: str) -> str:
    return "RO-" + str(int(ticket_no[2:]))


def _ticket_shown(kept: str) -> str:
    return "RT" + f"{int(kept.split('-')[1]):05d}"


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


def _seat_code(label: str) -> str:
    """S01 for Reading table 1, M1 for the map table, F1 for a film reader, A1 for the adjustable table."""
    number = int(label.split()[-1]) if label.split()[-1].isdigit() else 1
    if label.startswith("Reading"):
        return f"S{number:02d}"
    return ("M" if label.startswith("Map") else "F" if label.startswith("Microfilm") else "A") + str(number)


def _quote_total(env, quote_id: int) -> int:
    """What the lines of a quote that are not barred come to, 500 cents at least."""
    row = env.one("SELECT coalesce(sum(units * unit_cents), 0) AS cents FROM copy_quote_lines WHERE copy_quote_id = ? AND barred_reason IS NULL", [quote_id])
    return max(500, row["cents"]) if row["cents"] else 0


def _order_status(status: str) -> str:
    return "awaiting_payment" if status == "placed" else status


def _owed(env, reader_id: int) -> int:
    return env.one("SELECT coalesce(sum(amount_cents), 0) AS cents FROM charges WHERE reader_id = ? AND paid_on IS NULL", [reader_id])["cents"]


def _get_reader_orders(env, reader_id: int, since: str) -> list:
    """The quotes and orders of a reader, each with its lines."""
    rows = env.query("SELECT q.id, q.quote_no, q.quoted_on, q.valid_until, o.order_no, o.status, o.purpose, o.delivery, coalesce(o.delivery_cents, 0) AS delivery_cents, coalesce(o.paid_cents, 0) AS paid_cents, o.placed_at, o.ready_at, o.handed_over_at FROM copy_quotes q LEFT JOIN copy_orders o ON o.copy_quote_id = q.id WHERE q.reader_id = ? AND (coalesce(o.status, 'quoted') IN ('quoted', 'placed', 'paid', 'started', 'ready') OR q.quoted_on >= ?) ORDER BY q.quoted_on, q.id", [reader_id, since])
    shown = {kept: name for name, kept in _products().items()}
    orders = []
    for row in rows:
        lines = env.query("SELECT l.*, p.piece_ref, p.title, c.product FROM copy_quote_lines l JOIN pieces p ON p.id = l.piece_id JOIN copy_prices c ON c.id = l.copy_price_id WHERE l.copy_quote_id = ? ORDER BY l.id", [row["id"]])
        total = _quote_total(env, row["id"]) + row["delivery_cents"]
        owing = max(0, total - row["paid_cents"]) if row["status"] in ("placed", "paid", "started", "ready", "handed_over") else 0
        orders.append({"quote_id": _shown("CQ", row["quote_no"]), "order_id": _shown("CO", row["order_no"]) if row["order_no"] else None, "quoted_on": row["quoted_on"], "valid_until": row["valid_until"],
                       "lines": [{"piece_ref": l["piece_ref"].upper(), "title": l["title"], "product": shown[l["product"]], "folios": l["pages"], "quantity": l["units"], "unit_cents": l["unit_cents"], "line_cents": l["units"] * l["unit_cents"], "barred_reason": l["barred_reason"]} for l in lines],
                       "status": _order_status(row["status"]) if row["status"] else "quoted", "total_cents": total, "paid_cents": row["paid_cents"], "owing_cents": owing, "purpose": row["purpose"], "delivery": row["delivery"], "placed_at": row["placed_at"], "ready_at": row["ready_at"], "handed_over_at": row["handed_over_at"]})
    return orders


def _get_reader_bursary(env, reader_id: int, since: str) -> list:
    """The bursary applications of a reader with what became of them."""
    rows = env.query("SELECT a.*, r.round, c.claimed_on, c.paid_cents AS claim_cents FROM bursary_applications a JOIN bursary_rounds r ON r.id = a.bursary_round_id LEFT JOIN bursary_claims c ON c.bursary_application_id = a.id WHERE a.reader_id = ? AND (a.status = 'submitted' OR (a.status = 'awarded' AND c.id IS NULL) OR a.visit_to >= ?) ORDER BY a.submitted_at, a.id", [reader_id, since])
    entries = []
    for row in rows:
        days = env.query("SELECT DISTINCT day FROM attendances WHERE reader_id = ? AND day BETWEEN ? AND ? ORDER BY day", [reader_id, row["visit_from"], row["visit_to"]])
        pieces = env.query("SELECT p.piece_ref FROM bursary_application_pieces b JOIN pieces p ON p.id = b.piece_id WHERE b.bursary_application_id = ? ORDER BY p.piece_ref", [row["id"]])
        entries.append({"award_id": _shown("BA", row["application_no"]), "round": row["round"].replace("spring", "1").replace("autumn", "2"), "status": "received" if row["status"] == "submitted" else row["status"], "home_kind": row["home_kind"], "visit_from": row["visit_from"], "visit_to": row["visit_to"], "room_days": row["room_days"], "project": row["project"], "piece_refs": [p["piece_ref"].upper() for p in pieces], "asked_cents": row["asked_cents"], "awarded_cents": row["awarded_cents"], "decided_on": row["decided_on"], "signed_in_days": [d["day"] for d in days], "claimed_on": row["claimed_on"], "claim_cents": row["claim_cents"]})
    return entries


def get_reader(env, *, ticket_no: str, include: list = None, since: str = None) -> dict:
    """Read a reader's ticket and the sections asked for."""
    reader = _reader(env, ticket_no)
    key, since = reader["id"], since or ""
    adult = env.one("SELECT ticket_no FROM readers WHERE id = ?", [reader["accompanying_reader_id"]])
    answer = {"ticket_no": _ticket_shown(reader["ticket_no"]), "surname": reader["surname"], "forenames": reader["forenames"], "date_of_birth": reader["date_of_birth"],
              "address": {"line1": reader["address_line"], "town": reader["town"], "county_or_region": reader["county"], "eircode_or_postcode": reader["eircode"], "country": reader["country"]},
              "telephone": reader["telephone"], "email": reader["email"], "preferred_language": reader["preferred_language"], "access_needs": reader["access_needs"],
              "ticket_kind": reader["ticket_kind"], "ticket_status": _ticket_status(reader, env.now[:10]), "ticket_issued_on": reader["ticket_issued_on"], "expires_on": reader["ticket_valid_until"],
              "card_replaced_on": reader["card_replaced_on"], "address_confirmed_on": reader["address_confirmed_on"], "accompanying_ticket_no": _ticket_shown(adult["ticket_no"]) if adult else None,
              "archivist_note": reader["archivist_note"], "registered_on": reader["registered_on"]}
    wanted = include or []
    if "seat_bookings" in wanted:
        rows = env.query("SELECT b.*, o.sitting, s.label, s.seat_kind FROM seat_bookings b JOIN opening_sittings o ON o.id = b.opening_sitting_id JOIN seats s ON s.id = b.seat_id WHERE b.reader_id = ? AND (b.status = 'booked' OR b.day >= ?) ORDER BY b.day, o.starts_at, b.id", [key, since])
        answer["seat_bookings"] = [{"booking_id": _shown("SB", r["booking_no"]), "date": r["day"], "sitting": r["sitting"], "seat": _seat_code(r["label"]), "seat_kind": r["seat_kind"], "status": "displaced" if r["status"] == "closed_out" else r["status"], "booked_at": r["booked_at"], "cancelled_at": r["cancelled_at"], "cancel_cause": r["cancel_cause"]} for r in rows]
    if "piece_requests" in wanted:
        rows = env.query("SELECT q.*, p.piece_ref, p.title, b.booking_no, v.run_date FROM piece_requests q JOIN pieces p ON p.id = q.piece_id JOIN seat_bookings b ON b.id = q.seat_booking_id LEFT JOIN van_runs v ON v.id = q.van_run_id WHERE q.reader_id = ? AND (q.status IN ('queued', 'listed', 'on_hold', 'issued') OR substr(q.requested_at, 1, 10) >= ?) ORDER BY q.requested_at, q.id", [key, since])
        answer["piece_requests"] = [{"request_id": _shown("PR", r["request_no"]), "piece_ref": r["piece_ref"].upper(), "title": r["title"], "booking_id": _shown("SB", r["booking_no"]), "status": _request_statuses()[r["status"]], "asked_at": r["requested_at"], "run_date": r["run_date"], "hold_ends_on": r["held_until"], "issued_at": r["issued_at"], "returned_at": r["returned_at"], "cancelled_at": r["cancelled_at"]} for r in rows]
    if "access_cases" in wanted:
        rows = env.query("SELECT * FROM access_cases WHERE reader_id = ? AND (status = 'open' OR decided_on >= ?) ORDER BY opened_on, id", [key, since])
        answer["access_cases"] = [{"case_id": _shown("AC", r["case_no"]), "kind": r["kind"], "piece_refs": [p["piece_ref"].upper() for p in env.query("SELECT p.piece_ref FROM access_case_pieces a JOIN pieces p ON p.id = a.piece_id WHERE a.access_case_id = ? ORDER BY p.piece_ref", [r["id"]])], "use": r["use"], "purpose": r["purpose"], "status": r["status"], "opened_on": r["opened_on"], "conditions": r["conditions"], "decided_by_role": r["decided_by_role"], "decided_by_name": r["decided_by_name"], "decided_on": r["decided_on"]} for r in rows]
    if "copy_orders" in wanted:
        answer["copy_orders"] = _get_reader_orders(env, key, since)
    if "publication_licences" in wanted:
        rows = env.query("SELECT l.*, f.use, o.order_no, (SELECT sum(i.images) FROM publication_licence_images i WHERE i.publication_licence_id = l.id) AS images FROM publication_licences l JOIN licence_fees f ON f.id = l.licence_fee_id JOIN copy_orders o ON o.id = l.copy_order_id JOIN copy_quotes q ON q.id = o.copy_quote_id WHERE q.reader_id = ? AND l.issued_on >= ? ORDER BY l.issued_on, l.id", [key, since])
        answer["publication_licences"] = [{"licence_id": _shown("PL", r["licence_no"]), "order_id": _shown("CO", r["order_no"]), "licensee": r["licensee"], "use": r["use"], "title": r["title"], "publication_date": r["publication_date"], "images": r["images"] or 0, "fee_cents": r["fee_cents"], "credit_line": r["credit_line"], "issued_on": r["issued_on"]} for r in rows]
    if "bursary" in wanted:
        answer["bursary"] = _get_reader_bursary(env, key, since)
    if "enquiries" in wanted:
        rows = env.query("SELECT * FROM enquiries WHERE reader_id = ? AND (status IN ('open', 'fee_agreed') OR received_on >= ?) ORDER BY received_on, id", [key, since])
        answer["enquiries"] = [{"enquiry_id": _shown("EQ", r["enquiry_no"]), "channel": r["channel"], "text": r["question"], "status": "open" if r["status"] == "fee_agreed" else r["status"], "received_on": r["received_on"], "minutes_total": r["search_minutes"], "fee_cents": r["fee_cents"], "answer": r["answer"], "notes": [{"text": n["note"], "piece_ref": n["piece_ref"].upper() if n["piece_ref"] else None, "noted_at": n["noted_at"]} for n in env.query("SELECT n.note, n.noted_at, p.piece_ref FROM enquiry_notes n LEFT JOIN pieces p ON p.id = n.piece_id WHERE n.enquiry_id = ? ORDER BY n.noted_at, n.id", [r["id"]])]} for r in rows]
    if "balance" in wanted:
        rows = env.query("SELECT * FROM charges WHERE reader_id = ? AND (paid_on IS NULL OR paid_on >= ?) ORDER BY charged_on, id", [key, since])
        answer["balance"] = {"owed_cents": _owed(env, key), "charges": [{"kind": r["kind"], "amount_cents": r["amount_cents"], "charged_on": r["charged_on"], "paid_on": r["paid_on"]} for r in rows]}
    return answer

import datetime


def _code(prefix: str, shown: str) -> str:
    """The code as it is kept: SB-002110 becomes S-02110."""
    return prefix + "-" + f"{int(shown.split('-')[1]):05d}"


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


def _quote_total(env, quote_id: int) -> int:
    """What the lines of a quote that are not barred come to, 500 cents at least."""
    row = env.one("SELECT coalesce(sum(units * unit_cents), 0) AS cents FROM copy_quote_lines WHERE copy_quote_id = ? AND barred_reason IS NULL", [quote_id])
    return max(500, row["cents"]) if row["cents"] else 0


def _issue_publication_licence_bar(env, piece: dict, reader_id, case_id) -> str:
    """Why images of a piece may not be licensed, or None."""
    if env.one("SELECT id FROM restrictions WHERE piece_id = ? AND kind = 'closure_period' AND lapses_on > ?", [piece["id"], env.now[:10]]):
        return "closed"
    if piece["rights_holder"] is None:
        return None
    if piece["rights_holder"] != piece["depositor_name"]:
        return "rights_third_party"
    if not case_id:
        return "consent_needed"
    case = env.one("SELECT a.* FROM access_cases a JOIN access_case_pieces p ON p.access_case_id = a.id WHERE a.case_no = ? AND a.reader_id = ? AND p.piece_id = ? AND a.use = 'publish' AND a.kind = 'depositor_consent' AND a.status IN ('granted', 'granted_with_conditions')", [_code("A", case_id), reader_id, piece["id"]])
    if case is None or _months(case["decided_on"], 12) < env.now[:10]:
        return "consent_needed"
    return "no_naming_condition" if "no_copying" in (case["conditions"] or "") else None


def issue_publication_licence(env, *, licensee: str, order_id: str, images: list, use: str, title: str, publication_date: str, ticket_no: str = None, print_run: int = None, territory: str = "world", exemption: str = "none", free_copy_promised: bool = None, dry_run: bool = False) -> dict:
    """Issue a licence to publish images from a paid order."""
    today = env.now[:10]
    order = env.one("SELECT o.*, q.reader_id FROM copy_orders o JOIN copy_quotes q ON q.id = o.copy_quote_id WHERE o.order_no = ?", [_code("C", order_id)])
    if order is None:
        raise env.Error(f"There is no copy order {order_id}.")
    if order["status"] in ("cancelled", "refunded"):
        raise env.Error(f"Order {order_id} was {order['status']}.")
    holder = _reader(env, ticket_no)["id"] if ticket_no else order["reader_id"]
    if publication_date < today:
        raise env.Error("The day of publication lies in the past.")
    if (exemption == "thesis" and use != "thesis") or (exemption == "unpaid_journal" and use != "book_or_journal"):
        raise env.Error("That exemption does not go with that use.")
    lines = env.query("SELECT l.*, upper(p.piece_ref) AS piece_ref, c.product FROM copy_quote_lines l JOIN pieces p ON p.id = l.piece_id JOIN copy_prices c ON c.id = l.copy_price_id WHERE l.copy_quote_id = ? ORDER BY CASE c.product WHEN 'tiff_image' THEN 0 ELSE 1 END, l.id", [order["copy_quote_id"]])
    left, counts, obstacles, credits = {l["id"]: l["units"] for l in lines}, {}, [], []
    paid = order["paid_cents"] is not None and order["paid_cents"] >= _quote_total(env, order["copy_quote_id"]) + order["delivery_cents"]
    for image in images:
        piece = _piece(env, image["piece_ref"])
        ref = piece["piece_ref"].upper()
        line = next((l for l in lines if l["piece_ref"] == ref and left[l["id"]] > 0), None)
        if line is None:
            raise env.Error(f"Order {order_id} holds no such image, or not so many, of {ref}.")
        left[line["id"]] -= 1
        counts[line["id"]] = counts.get(line["id"], 0) + 1
        if piece["credit_line"] not in credits:
            credits.append(piece["credit_line"])
        reason = _issue_publication_licence_bar(env, piece, holder, image.get("case_id"))
        if reason is None and not paid:
            reason = "order_unpaid"
        if reason and {"piece_ref": ref, "reason": reason} not in obstacles:
            obstacles.append({"piece_ref": ref, "reason": reason})
    each = {"book_or_journal": 6000 if (print_run or 0) > 1000 else 3000, "website": 4000, "exhibition": 2500, "broadcast_or_film": 12000, "advertising_or_merchandise": 15000, "thesis": 0}[use]
    fee = 0 if exemption != "none" else each * len(images)
    answer = {"fee_cents": fee, "status": "would_issue", "credit_line": "; ".join(credits), "obstacles": obstacles}
    if obstacles:
        answer["status"] = "refused"
    elif not dry_run:
        number = env.new_id("L")
        tariff = env.one("SELECT id FROM licence_fees WHERE use = ?", [use])
        key = env.insert("INSERT INTO publication_licences (licence_no, copy_order_id, licence_fee_id, licensee, title, publication_date, fee_cents, credit_line, issued_on) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", [number, order["id"], tariff["id"], licensee, title, publication_date, fee, answer["credit_line"], today])
        for line_id, many in counts.items():
            env.insert("INSERT INTO publication_licence_images (publication_licence_id, copy_quote_line_id, images) VALUES (?, ?, ?)", [key, line_id, many])
        answer["licence_id"] = _shown("PL", number)
        answer["status"] = "issued_awaiting_fee" if fee else "issued"
    return answer

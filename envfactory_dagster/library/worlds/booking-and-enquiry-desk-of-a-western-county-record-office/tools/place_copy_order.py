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


def _quote_total(env, quote_id: int) -> int:
    """What the lines of a quote that are not barred come to, 500 cents at least."""
    row = env.one("SELECT coalesce(sum(units * unit_cents), 0) AS cents FROM copy_quote_lines WHERE copy_quote_id = ? AND barred_reason IS NULL", [quote_id])
    return max(500, row["cents"]) if row["cents"] else 0


def place_copy_order(env, *, quote_id: str, declaration_signed_on: str, purpose: str, delivery: str, ticket_no: str = None, customer: dict = None) -> dict:
    """Turn a quote into an order."""
    today = env.now[:10]
    quote = env.one("SELECT * FROM copy_quotes WHERE quote_no = ?", [_code("Q", quote_id)])
    if quote is None:
        raise env.Error(f"There is no quote {quote_id}.")
    if env.one("SELECT id FROM copy_orders WHERE copy_quote_id = ?", [quote["id"]]):
        raise env.Error(f"Quote {quote_id} has been turned into an order already.")
    if quote["valid_until"] < today:
        raise env.Error(f"Quote {quote_id} was in force only until {quote['valid_until']}.")
    lines = env.query("SELECT l.*, upper(p.piece_ref) AS piece_ref, p.location, p.surrogate_piece_id, c.product FROM copy_quote_lines l JOIN pieces p ON p.id = l.piece_id JOIN copy_prices c ON c.id = l.copy_price_id WHERE l.copy_quote_id = ? ORDER BY l.id", [quote["id"]])
    for line in lines:
        if line["barred_reason"]:
            raise env.Error(f"The line for {line['piece_ref']} is barred: {line['barred_reason'].replace('_', ' ')}.")
    if not _plus(today, -30) <= declaration_signed_on <= today:
        raise env.Error("The copyright declaration must have been signed today or in the last 30 days.")
    reader = _reader(env, ticket_no) if ticket_no else None
    if reader is None and delivery == "collect_at_desk":
        raise env.Error("Copies are collected at the desk only on a reader's ticket.")
    if reader is None and customer is None:
        raise env.Error("Give the customer's name and address, or a ticket.")
    if reader and quote["reader_id"] is not None and quote["reader_id"] != reader["id"]:
        raise env.Error(f"Quote {quote_id} was given to somebody else.")
    if delivery == "secure_download_by_imaging_staff" and any(l["product"] == "certified_copy" for l in lines):
        raise env.Error("Certified copies are not sent as downloads.")
    if quote["reader_id"] is None:
        env.execute("UPDATE copy_quotes SET reader_id = ?, customer_name = ? WHERE id = ?", [reader["id"] if reader else None, reader["forenames"] + " " + reader["surname"] if reader else customer["name"], quote["id"]])
    postage = {"post_ireland": 600, "post_abroad": 1200}.get(delivery, 0)
    total, number = _quote_total(env, quote["id"]) + postage, env.new_id("C")
    env.insert("INSERT INTO copy_orders (order_no, copy_quote_id, declaration_signed_on, purpose, delivery, delivery_cents, status, placed_at) VALUES (?, ?, ?, ?, ?, ?, 'placed', ?)", [number, quote["id"], declaration_signed_on, purpose, delivery, postage, env.now])
    answer = {"order_id": _shown("CO", number), "status": "awaiting_payment", "total_cents": total, "due_now_cents": (total + 1) // 2 if total > 10000 else total}
    away = any(l["location"] in ("mill_strongroom", "van_shelf") and l["surrogate_piece_id"] is None for l in lines)
    runs = [r for r in _open_runs(env, env.now) if r["places"] > 0]
    if away and runs:
        answer["run_date"] = runs[0]["run_date"]
    if not away or runs:
        answer["ready_by"] = _working_day_after(env, runs[0]["run_date"] if away else today, 15)
    return answer

from datetime import date, timedelta


def _list_bank_holidays_all(env) -> list:
    """The days of all bank holidays."""
    return [row["day"] for row in env.query("SELECT day FROM bank_holidays ORDER BY day", [])]


def _list_bank_holidays_works(holidays: list, day: str) -> bool:
    """Whether a day is a working day."""
    return date.fromisoformat(day).weekday() < 5 and day not in holidays


def _list_bank_holidays_add(holidays: list, day: str, count: int) -> str:
    """The working day that lies so many working days after a day."""
    moving = date.fromisoformat(day)
    while count > 0:
        moving = moving + timedelta(days=1)
        if _list_bank_holidays_works(holidays, moving.isoformat()):
            count = count - 1
    return moving.isoformat()


def _list_bank_holidays_between(holidays: list, first: str, last: str) -> int:
    """How many working days lie between two days, neither of them counted."""
    count = 0
    moving = date.fromisoformat(first) + timedelta(days=1)
    while moving.isoformat() < last:
        if _list_bank_holidays_works(holidays, moving.isoformat()):
            count = count + 1
        moving = moving + timedelta(days=1)
    return count


def _get_hire_row(env, hire_id: int) -> dict:
    """A hire of one of the user's customers, with the kind of the customer."""
    hire = env.one(
        "SELECT h.id, h.hire_number, h.customer_id, h.show_title, h.collection_date, h.due_date, h.bank_holiday_id, "
        "h.status, h.held_at, h.hold_lapses_at, h.hold_renewed_at, h.confirmed_at, h.confirmed_by_person_id, "
        "h.collector_person_id, h.collected_at, h.returned_at, h.inspected_at, h.closed_at, h.cancelled_at, "
        "c.kind AS customer_kind, c.name AS customer_name "
        "FROM hires h JOIN customers c ON c.id = h.customer_id WHERE h.id = ? AND EXISTS "
        "(SELECT 1 FROM person_roles r WHERE r.customer_id = h.customer_id AND r.person_id = ?)",
        [hire_id, env.user_id],
    )
    if hire is None:
        raise env.Error(f"you have no hire {hire_id}")
    return hire


def _get_hire_line_row(env, hire_line_id: int) -> dict:
    """A hire line of one of the user's customers."""
    line = env.one(
        "SELECT l.id, l.hire_id, l.piece_id, l.set_id, l.accessory_id, l.wearer_person_id, l.fee_cents, l.status, "
        "l.cancelled_at, l.kept_cents FROM hire_lines l JOIN hires h ON h.id = l.hire_id WHERE l.id = ? AND EXISTS "
        "(SELECT 1 FROM person_roles r WHERE r.customer_id = h.customer_id AND r.person_id = ?)",
        [hire_line_id, env.user_id],
    )
    if line is None:
        raise env.Error(f"you have no hire line {hire_line_id}")
    return line


def _quote_cancellation_notice(holidays: list, moment: str, collection: str) -> int:
    """Working days of notice given at a moment, after 16:00 and on days off from the next working day."""
    day = moment[:10]
    if moment[11:] > "16:00:00" or not _list_bank_holidays_works(holidays, day):
        day = _list_bank_holidays_add(holidays, day, 1)
    return _list_bank_holidays_between(holidays, day, collection)


def _quote_cancellation_flat_left(env, holidays: list, hire: dict) -> int:
    """What is left of the £15.00 that is kept once per hire with 20 or more days of notice."""
    left = 1500
    for line in env.query(
        "SELECT id, cancelled_at, kept_cents FROM hire_lines WHERE hire_id = ? AND status = 'cancelled' ORDER BY id", [hire["id"]]
    ):
        if _quote_cancellation_notice(holidays, line["cancelled_at"], hire["collection_date"]) >= 20:
            left = left - line["kept_cents"]
    return max(0, left)


def _quote_cancellation_kept(status: str, notice: int, fee: int, flat_left: int) -> int:
    """What the store keeps of the fee of one line."""
    if status == "held":
        return 0
    if notice >= 20:
        return min(fee, flat_left)
    if notice >= 10:
        return (fee * 30 + 50) // 100
    if notice >= 5:
        return (fee * 60 + 50) // 100
    return fee


def _cancel_hire_line_drop(env, hire_line_id: int, kept_cents: int) -> None:
    """Cancels one line with its booked fittings and planned alterations."""
    env.execute(
        "UPDATE hire_lines SET status = 'cancelled', cancelled_at = ?, kept_cents = ? WHERE id = ?",
        [env.now, kept_cents, hire_line_id],
    )
    env.execute(
        "UPDATE fittings SET status = 'cancelled', cancelled_at = ? WHERE hire_line_id = ? AND status = 'booked'",
        [env.now, hire_line_id],
    )
    env.execute(
        "UPDATE alterations SET status = 'cancelled', cancelled_at = ? WHERE hire_line_id = ? AND status = 'planned'",
        [env.now, hire_line_id],
    )


def _quote_cancellation_open(env, hire: dict) -> None:
    """Refuses a hire that is neither held nor confirmed."""
    if hire["status"] not in ("held", "confirmed"):
        raise env.Error(f"that hire is {hire['status']}; this can only be done while it is held or confirmed")


def cancel_hire_line(env, *, hire_line_id: int) -> dict:
    """Cancels one line of a held or confirmed hire."""
    line = _get_hire_line_row(env, hire_line_id)
    hire = _get_hire_row(env, line["hire_id"])
    _quote_cancellation_open(env, hire)
    if line["status"] != "active":
        raise env.Error("that line is cancelled already")
    active = env.one("SELECT COUNT(*) AS active_lines FROM hire_lines WHERE hire_id = ? AND status = 'active'", [hire["id"]])
    if active["active_lines"] == 1:
        raise env.Error("that is the last line of the hire; cancel the hire instead")
    holidays = _list_bank_holidays_all(env)
    today = env.now[:10]
    notice = _quote_cancellation_notice(holidays, env.now, hire["collection_date"])
    flat_left = _quote_cancellation_flat_left(env, holidays, hire)
    kept = _quote_cancellation_kept(hire["status"], notice, line["fee_cents"], flat_left)
    _cancel_hire_line_drop(env, hire_line_id, kept)
    rest = line["fee_cents"] - kept
    balance = env.one(
        "SELECT id FROM invoices WHERE hire_id = ? AND kind = 'balance' AND status IN ('open', 'paid', 'disputed') ORDER BY id DESC LIMIT 1",
        [hire["id"]],
    )
    invoice_id = None
    if balance is not None and rest > 0:
        invoice_id = env.insert(
            "INSERT INTO invoices (invoice_number, hire_id, credits_invoice_id, kind, issued_on, due_on, status) "
            "VALUES (?, ?, ?, 'credit', ?, ?, 'open')",
            [env.new_id("INV"), hire["id"], balance["id"], today, _list_bank_holidays_add(holidays, today, 5)],
        )
        env.insert(
            "INSERT INTO invoice_lines (invoice_id, hire_line_id, description, amount_cents) VALUES (?, ?, ?, ?)",
            [invoice_id, hire_line_id, f"Line cancelled with {notice} working days of notice", -rest],
        )
    return {
        "id": hire_line_id,
        "hire_id": hire["id"],
        "status": "cancelled",
        "cancelled_at": env.now,
        "notice_working_days": notice,
        "kept_cents": kept,
        "invoice_id": invoice_id,
        "invoice_total_cents": None if invoice_id is None else -rest,
    }

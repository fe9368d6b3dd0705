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


def dispute_invoice(env, *, invoice_id: int, reason: str) -> dict:
    """Disputes an open invoice with a reason."""
    invoice = env.one(
        "SELECT i.id, i.kind, i.issued_on, i.status FROM invoices i JOIN hires h ON h.id = i.hire_id WHERE i.id = ? AND EXISTS "
        "(SELECT 1 FROM person_roles r WHERE r.customer_id = h.customer_id AND r.person_id = ?)",
        [invoice_id, env.user_id],
    )
    if invoice is None:
        raise env.Error(f"you have no invoice {invoice_id}")
    if invoice["kind"] == "credit":
        raise env.Error("a credit note cannot be disputed")
    if invoice["status"] != "open":
        raise env.Error(f"that invoice is {invoice['status']}, not open")
    text = reason.strip()
    if text == "":
        raise env.Error("say why the invoice is disputed")
    last_day = _list_bank_holidays_add(_list_bank_holidays_all(env), invoice["issued_on"], 10)
    if env.now[:10] > last_day:
        raise env.Error(f"that invoice could be disputed until {last_day}")
    env.execute("UPDATE invoices SET status = 'disputed', disputed_at = ?, dispute_reason = ? WHERE id = ?", [env.now, text, invoice_id])
    return {"id": invoice_id, "status": "disputed", "disputed_at": env.now, "dispute_reason": text}

def _list_payments_row(env, payment_id):
    return env.one("""
        SELECT id, invoice_id, appointment_id, medicine_order_id, kind, amount_cents, paid_at
        FROM payments WHERE id = ? AND client_id = ?""", [payment_id, env.user_id])


def _search_invoices_row(env, invoice_id):
    return env.one("""
        SELECT i.id, i.code, i.practice, i.issued_on, i.due_on, i.status,
            (SELECT COALESCE(SUM(l.amount_cents), 0) FROM invoice_lines l WHERE l.invoice_id = i.id) AS total_cents,
            (SELECT COALESCE(SUM(l.amount_cents), 0) FROM invoice_lines l WHERE l.invoice_id = i.id)
          - (SELECT COALESCE(SUM(p.amount_cents), 0) FROM payments p WHERE p.invoice_id = i.id AND p.kind <> 'deposit_refund')
          - (SELECT COALESCE(SUM(k.amount_cents), 0) FROM plan_claims k WHERE k.invoice_id = i.id AND k.status = 'paid') AS owing_cents
        FROM invoices i WHERE i.id = ? AND i.client_id = ?""", [invoice_id, env.user_id])


def apply_credit(env, *, payment_id: int, invoice_id: int) -> dict:
    """Put a return credit against an open invoice."""
    credit = _list_payments_row(env, payment_id)
    if credit is None or credit["kind"] != "return_credit":
        raise env.Error(f"You have no return credit {payment_id}.")
    if credit["invoice_id"] is not None:
        raise env.Error(f"Return credit {payment_id} is used already.")
    invoice = _search_invoices_row(env, invoice_id)
    if invoice is None:
        raise env.Error(f"You have no invoice {invoice_id}.")
    if invoice["practice"] != "own":
        raise env.Error(f"Invoice {invoice['code']} is of the neighbouring practice; credit here does not count there.")
    if invoice["status"] != "open":
        raise env.Error(f"Invoice {invoice['code']} is paid already.")
    if credit["amount_cents"] > invoice["owing_cents"]:
        raise env.Error(f"The credit is larger than what is still owing on invoice {invoice['code']}.")
    env.execute("UPDATE payments SET invoice_id = ? WHERE id = ? AND client_id = ?", [invoice_id, payment_id, env.user_id])
    if credit["amount_cents"] == invoice["owing_cents"]:
        env.execute("UPDATE invoices SET status = 'paid' WHERE id = ? AND client_id = ?", [invoice_id, env.user_id])
    return {"payment": _list_payments_row(env, payment_id), "invoice": _search_invoices_row(env, invoice_id)}

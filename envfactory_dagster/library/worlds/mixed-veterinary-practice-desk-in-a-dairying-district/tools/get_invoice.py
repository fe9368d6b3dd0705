def _search_invoices_row(env, invoice_id):
    return env.one("""
        SELECT i.id, i.code, i.practice, i.issued_on, i.due_on, i.status,
            (SELECT COALESCE(SUM(l.amount_cents), 0) FROM invoice_lines l WHERE l.invoice_id = i.id) AS total_cents,
            (SELECT COALESCE(SUM(l.amount_cents), 0) FROM invoice_lines l WHERE l.invoice_id = i.id)
          - (SELECT COALESCE(SUM(p.amount_cents), 0) FROM payments p WHERE p.invoice_id = i.id AND p.kind <> 'deposit_refund')
          - (SELECT COALESCE(SUM(k.amount_cents), 0) FROM plan_claims k WHERE k.invoice_id = i.id AND k.status = 'paid') AS owing_cents
        FROM invoices i WHERE i.id = ? AND i.client_id = ?""", [invoice_id, env.user_id])


def get_invoice(env, *, invoice_id: int) -> dict:
    """Show one invoice with its lines and payments."""
    row = _search_invoices_row(env, invoice_id)
    if row is None:
        raise env.Error(f"You have no invoice {invoice_id}.")
    invoice = dict(row)
    invoice["lines"] = env.query("""
        SELECT id, patient_id, appointment_id, medicine_order_id, kind, description, provided_on, amount_cents
        FROM invoice_lines WHERE invoice_id = ? ORDER BY provided_on, id""", [invoice_id])
    invoice["payments"] = env.query("""
        SELECT id, invoice_id, appointment_id, medicine_order_id, kind, amount_cents, paid_at
        FROM payments WHERE invoice_id = ? AND client_id = ? ORDER BY paid_at, id""", [invoice_id, env.user_id])
    return {"invoice": invoice}

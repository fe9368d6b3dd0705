def get_invoice(env, *, invoice_id: int) -> dict:
    """Shows one invoice of the user's customers with its lines and payments."""
    invoice = env.one(
        "SELECT i.id, i.invoice_number, i.hire_id, i.kind, i.issued_on, i.due_on, i.status, "
        "COALESCE((SELECT SUM(l.amount_cents) FROM invoice_lines l WHERE l.invoice_id = i.id), 0) AS total_cents, "
        "i.credits_invoice_id, i.disputed_at, i.dispute_reason FROM invoices i JOIN hires h ON h.id = i.hire_id "
        "WHERE i.id = ? AND EXISTS (SELECT 1 FROM person_roles r WHERE r.customer_id = h.customer_id AND r.person_id = ?)",
        [invoice_id, env.user_id],
    )
    if invoice is None:
        raise env.Error(f"you have no invoice {invoice_id}")
    shown = dict(invoice)
    shown["invoice_lines"] = env.query(
        "SELECT l.id, l.hire_line_id, COALESCE(j.piece_id, h.piece_id) AS piece_id, l.cleaning_repair_job_id, l.description, "
        "l.amount_cents FROM invoice_lines l LEFT JOIN hire_lines h ON h.id = l.hire_line_id "
        "LEFT JOIN cleaning_repair_jobs j ON j.id = l.cleaning_repair_job_id WHERE l.invoice_id = ? ORDER BY l.id",
        [invoice_id],
    )
    shown["payments"] = env.query(
        "SELECT id, kind, amount_cents, paid_at FROM payments WHERE invoice_id = ? ORDER BY paid_at, id", [invoice_id]
    )
    return shown

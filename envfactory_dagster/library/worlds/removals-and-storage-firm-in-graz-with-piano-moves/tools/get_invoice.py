def get_invoice(env, *, invoice_id: int) -> dict:
    """Shows one of the user's invoices with its lines and the objections to them."""
    invoice = env.one(
        """SELECT id AS invoice_id, code, removal_id, storage_contract_id, issued_on, paid_on, status
           FROM invoices WHERE id = :invoice AND customer_id = :user""",
        {"invoice": invoice_id, "user": env.user_id},
    )
    if invoice is None:
        raise env.Error(f"You have no invoice {invoice_id}.")
    lines = env.query(
        """SELECT l.id AS invoice_line_id, l.kind, l.description, l.amount_cents, l.charged_from, l.charged_to,
                  h.name AS public_holiday, o.status AS objection_status
           FROM invoice_lines l
           LEFT JOIN public_holidays h ON h.id = l.public_holiday_id
           LEFT JOIN invoice_objections o ON o.invoice_line_id = l.id
           WHERE l.invoice_id = ? ORDER BY l.id""",
        [invoice_id],
    )
    invoice["total_cents"] = sum(line["amount_cents"] for line in lines)
    invoice["lines"] = lines
    return invoice

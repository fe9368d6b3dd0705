def object_to_invoice_line(env, *, invoice_line_id: int, reason: str) -> dict:
    """Raises an objection to a line of one of the user's invoices."""
    line = env.one(
        """SELECT l.amount_cents, l.description, i.code, i.status,
                  (SELECT count(*) FROM invoice_objections o WHERE o.invoice_line_id = l.id) AS objections
           FROM invoice_lines l JOIN invoices i ON i.id = l.invoice_id
           WHERE l.id = :line AND i.customer_id = :user""",
        {"line": invoice_line_id, "user": env.user_id},
    )
    if line is None:
        raise env.Error(f"None of your invoices has a line {invoice_line_id}.")
    if line["status"] == "cancelled":
        raise env.Error(f"Invoice {line['code']} has been cancelled, so there is nothing to object to.")
    if line["objections"] > 0:
        raise env.Error(f"The line \"{line['description']}\" on invoice {line['code']} has been objected to before.")
    if not reason:
        raise env.Error("An objection needs a reason.")
    objection = env.insert(
        """INSERT INTO invoice_objections (invoice_line_id, reason, raised_at, status)
           VALUES (:line, :reason, :now, 'open')""",
        {"line": invoice_line_id, "reason": reason, "now": env.now},
    )
    return {
        "invoice_objection_id": objection,
        "invoice_line_id": invoice_line_id,
        "amount_cents": line["amount_cents"],
        "reason": reason,
        "raised_at": env.now,
        "status": "open",
    }

def pay_invoice(env, *, invoice_id: int, amount_cents: int) -> dict:
    """Pays the user's own invoice in full or in part."""
    invoice = env.one(
        """
        SELECT i.id, i.invoice_number,
               i.amount_cents - (SELECT COALESCE(SUM(p.amount_cents), 0) FROM payments p
                                 WHERE p.invoice_id = i.id) AS left_cents
        FROM invoices i
        WHERE i.id = :invoice_id AND i.boat_owner_id = :boat_owner_id
        """,
        {"invoice_id": invoice_id, "boat_owner_id": env.user_id},
    )
    if invoice is None:
        raise env.Error(f"you have no invoice {invoice_id}")
    if amount_cents < 1:
        raise env.Error("the amount to pay must be more than nothing")
    if invoice["left_cents"] <= 0:
        raise env.Error(f"your invoice {invoice['invoice_number']} has already been paid in full")
    if amount_cents > invoice["left_cents"]:
        raise env.Error(
            f"only {invoice['left_cents'] / 100:.2f} is left to pay on your invoice {invoice['invoice_number']}"
        )
    payment_id = env.insert(
        "INSERT INTO payments (invoice_id, amount_cents, paid_at) VALUES (:invoice_id, :amount_cents, :now)",
        {"invoice_id": invoice_id, "amount_cents": amount_cents, "now": env.now},
    )
    return {
        "payment": {
            "id": payment_id,
            "invoice_id": invoice_id,
            "amount_cents": amount_cents,
            "paid_at": env.now,
        },
        "left_cents": invoice["left_cents"] - amount_cents,
    }

def _get_invoice_shape(env, row):
    return {
        "id": row["id"],
        "invoice_number": row["invoice_number"],
        "berth_lease_id": row["berth_lease_id"],
        "guest_stay_id": row["guest_stay_id"],
        "crane_lift_id": row["crane_lift_id"],
        "shed_place_id": row["shed_place_id"],
        "amount_cents": row["amount_cents"],
        "paid_cents": row["paid_cents"],
        "left_cents": row["amount_cents"] - row["paid_cents"],
        "issued_on": row["issued_on"],
        "due_on": row["due_on"],
    }


def get_invoice(env, *, invoice_id: int) -> dict:
    """Shows one of the user's own invoices with its payments in the order they were made."""
    row = env.one(
        """
        SELECT i.id, i.invoice_number, i.berth_lease_id, i.guest_stay_id, i.crane_lift_id, i.shed_place_id,
               i.amount_cents,
               (SELECT COALESCE(SUM(p.amount_cents), 0) FROM payments p WHERE p.invoice_id = i.id) AS paid_cents,
               i.issued_on, i.due_on
        FROM invoices i
        WHERE i.id = :invoice_id AND i.boat_owner_id = :boat_owner_id
        """,
        {"invoice_id": invoice_id, "boat_owner_id": env.user_id},
    )
    if row is None:
        raise env.Error(f"you have no invoice {invoice_id}")
    payments = env.query(
        "SELECT id, amount_cents, paid_at FROM payments WHERE invoice_id = :invoice_id ORDER BY paid_at, id",
        {"invoice_id": invoice_id},
    )
    invoice = _get_invoice_shape(env, row)
    invoice["payments"] = [dict(payment) for payment in payments]
    return invoice

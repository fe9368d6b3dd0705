def list_payments(env, *, kind: str = None) -> dict:
    """List the client's payments, deposits, refunds and credits."""
    return {"payments": env.query("""
        SELECT id, invoice_id, appointment_id, medicine_order_id, kind, amount_cents, paid_at FROM payments
        WHERE client_id = :user AND (:kind IS NULL OR kind = :kind)
        ORDER BY paid_at DESC, id DESC""", {"user": env.user_id, "kind": kind})}

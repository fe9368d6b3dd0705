def list_invoices(env, *, status: str = None, removal_id: int = None, storage_contract_id: int = None) -> dict:
    """Lists the user's invoices that meet every filter, newest first, with their totals."""
    return {
        "invoices": env.query(
            """SELECT i.id AS invoice_id, i.code, i.removal_id, i.storage_contract_id, i.issued_on, i.paid_on, i.status,
                      (SELECT coalesce(sum(l.amount_cents), 0) FROM invoice_lines l WHERE l.invoice_id = i.id) AS total_cents
               FROM invoices i
               WHERE i.customer_id = :user
                 AND (:status IS NULL OR i.status = :status)
                 AND (:removal IS NULL OR i.removal_id = :removal)
                 AND (:contract IS NULL OR i.storage_contract_id = :contract)
               ORDER BY i.issued_on DESC, i.id DESC""",
            {"user": env.user_id, "status": status, "removal": removal_id, "contract": storage_contract_id},
        )
    }

def _list_roster_shifts_span(env, first_day, last_day):
    if first_day is not None and last_day is not None and first_day > last_day:
        raise env.Error("The first day lies after the last day.")


def search_invoices(env, *, practice: str = None, status: str = None, first_day: str = None, last_day: str = None) -> dict:
    """List invoices to the client with total and what is owing."""
    _list_roster_shifts_span(env, first_day, last_day)
    return {"invoices": env.query("""
        SELECT i.id, i.code, i.practice, i.issued_on, i.due_on, i.status,
            (SELECT COALESCE(SUM(l.amount_cents), 0) FROM invoice_lines l WHERE l.invoice_id = i.id) AS total_cents,
            (SELECT COALESCE(SUM(l.amount_cents), 0) FROM invoice_lines l WHERE l.invoice_id = i.id)
          - (SELECT COALESCE(SUM(p.amount_cents), 0) FROM payments p WHERE p.invoice_id = i.id AND p.kind <> 'deposit_refund')
          - (SELECT COALESCE(SUM(k.amount_cents), 0) FROM plan_claims k WHERE k.invoice_id = i.id AND k.status = 'paid') AS owing_cents
        FROM invoices i
        WHERE i.client_id = :user AND (:practice IS NULL OR i.practice = :practice) AND (:status IS NULL OR i.status = :status)
          AND (:first IS NULL OR i.issued_on >= :first) AND (:last IS NULL OR i.issued_on <= :last)
        ORDER BY i.issued_on DESC, i.id DESC""",
        {"user": env.user_id, "practice": practice, "status": status, "first": first_day, "last": last_day})}

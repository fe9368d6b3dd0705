def _get_account_overdue(env) -> int:
    row = env.one("""
        SELECT COALESCE(SUM(
            (SELECT COALESCE(SUM(l.amount_cents), 0) FROM invoice_lines l WHERE l.invoice_id = i.id)
          - (SELECT COALESCE(SUM(p.amount_cents), 0) FROM payments p WHERE p.invoice_id = i.id AND p.kind <> 'deposit_refund')
          - (SELECT COALESCE(SUM(k.amount_cents), 0) FROM plan_claims k WHERE k.invoice_id = i.id AND k.status = 'paid')
        ), 0) AS cents
        FROM invoices i
        WHERE i.client_id = :client AND i.practice = 'own' AND i.due_on < :today""",
        {"client": env.user_id, "today": env.now[:10]})
    return row["cents"]


def get_account(env) -> dict:
    """Show the client's details and how the account stands."""
    client = env.one("SELECT id, name, property_name, phone, email, travel_cents FROM clients WHERE id = ?", [env.user_id])
    if client is None:
        raise env.Error("There is no such client.")
    overdue = _get_account_overdue(env)
    owing = env.one("""
        SELECT COALESCE(SUM(
            (SELECT COALESCE(SUM(l.amount_cents), 0) FROM invoice_lines l WHERE l.invoice_id = i.id)
          - (SELECT COALESCE(SUM(p.amount_cents), 0) FROM payments p WHERE p.invoice_id = i.id AND p.kind <> 'deposit_refund')
          - (SELECT COALESCE(SUM(k.amount_cents), 0) FROM plan_claims k WHERE k.invoice_id = i.id AND k.status = 'paid')
        ), 0) AS cents
        FROM invoices i WHERE i.client_id = ? AND i.practice = 'own'""", [env.user_id])
    credit = env.one("""
        SELECT COALESCE(SUM(amount_cents), 0) AS cents FROM payments
        WHERE client_id = ? AND kind = 'return_credit' AND invoice_id IS NULL""", [env.user_id])
    account = dict(client)
    account["overdue_cents"] = overdue
    account["owing_cents"] = owing["cents"]
    account["credit_cents"] = credit["cents"]
    account["on_hold"] = overdue > 50000
    return {"account": account}

def _list_plan_claims_row(env, plan_claim_id):
    return env.one("""
        SELECT k.id, k.code, k.membership_id, k.invoice_id, i.code AS invoice_code, k.kind, k.amount_cents, k.status, k.submitted_at
        FROM plan_claims k
        JOIN wellness_plan_memberships m ON m.id = k.membership_id
        JOIN invoices i ON i.id = k.invoice_id
        WHERE k.id = ? AND m.client_id = ?""", [plan_claim_id, env.user_id])


def submit_plan_claim(env, *, wellness_plan_membership_id: int, invoice_id: int, kind: str) -> dict:
    """Submit a claim on a wellness plan membership for an invoice."""
    plan = env.one("""
        SELECT id, patient_id, starts_on, ends_on, dental_allowance_cents, after_hours_consults, status
        FROM wellness_plan_memberships WHERE id = ? AND client_id = ?""", [wellness_plan_membership_id, env.user_id])
    if plan is None:
        raise env.Error(f"You have no plan membership {wellness_plan_membership_id}.")
    invoice = env.one("SELECT id, code FROM invoices WHERE id = ? AND client_id = ?", [invoice_id, env.user_id])
    if invoice is None:
        raise env.Error(f"You have no invoice {invoice_id}.")
    if plan["status"] != "active":
        raise env.Error("That plan membership is cancelled.")
    if env.one("""
            SELECT id FROM plan_claims
            WHERE membership_id = ? AND invoice_id = ? AND kind = ? AND status IN ('submitted', 'paid') ORDER BY id LIMIT 1""",
            [wellness_plan_membership_id, invoice_id, kind]) is not None:
        raise env.Error(f"This claim for invoice {invoice['code']} is made already.")
    used = env.one("""
        SELECT COALESCE(SUM(amount_cents), 0) AS cents, COUNT(*) AS claims FROM plan_claims
        WHERE membership_id = ? AND kind = ? AND status IN ('submitted', 'paid')""", [wellness_plan_membership_id, kind])
    if kind == "dental":
        lines = env.one("""
            SELECT COALESCE(SUM(amount_cents), 0) AS cents FROM invoice_lines
            WHERE invoice_id = :invoice AND patient_id = :patient AND kind = 'dental' AND provided_on >= :first AND provided_on <= :last""",
            {"invoice": invoice_id, "patient": plan["patient_id"], "first": plan["starts_on"], "last": plan["ends_on"]})
        left = plan["dental_allowance_cents"] - used["cents"]
        amount = min(lines["cents"], left)
        spent = left <= 0
    else:
        lines = env.one("""
            SELECT COALESCE(SUM(l.amount_cents), 0) AS cents
            FROM invoice_lines l JOIN appointments a ON a.id = l.appointment_id
            WHERE l.invoice_id = :invoice AND l.patient_id = :patient AND l.kind = 'consult' AND l.provided_on >= :first AND l.provided_on <= :last
              AND EXISTS (SELECT 1 FROM roster_shifts r WHERE r.vet_id = a.vet_id AND r.kind = 'after_hours'
                          AND r.starts_at <= a.starts_at AND r.ends_at > a.starts_at)""",
            {"invoice": invoice_id, "patient": plan["patient_id"], "first": plan["starts_on"], "last": plan["ends_on"]})
        amount = lines["cents"]
        spent = used["claims"] >= plan["after_hours_consults"]
    if lines["cents"] == 0:
        raise env.Error(f"Invoice {invoice['code']} has no line for that patient and plan year that this claim could be for.")
    if spent:
        raise env.Error("Nothing is left of that allowance in this plan year.")
    new = env.insert("INSERT INTO plan_claims (code, membership_id, invoice_id, kind, amount_cents, status, submitted_at) VALUES (?, ?, ?, ?, ?, 'submitted', ?)",
                     [env.new_id("CLM"), wellness_plan_membership_id, invoice_id, kind, amount, env.now])
    return {"plan_claim": _list_plan_claims_row(env, new)}

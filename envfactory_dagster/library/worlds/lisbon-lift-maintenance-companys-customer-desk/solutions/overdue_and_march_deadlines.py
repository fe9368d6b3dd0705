def _all(call, key, **arguments):
    rows, cursor = [], None
    while True:
        more = {"page_cursor": cursor} if cursor else {}
        page = call(page_size=100, **arguments, **more)
        rows += page[key]
        cursor = page["next_page_cursor"]
        if not cursor:
            return rows


KINDS = (
    ("inspection_due", "inspections_due", "inspection due"),
    ("clause_cure", "clauses_to_cure", "cure of inspection clauses"),
    ("quotation_expiry", "quotations_expire", "quotation runs out"),
    ("quotation_minutes", "minutes_due", "minutes for a quotation"),
    ("alternative_due", "alternatives_due", "alternative for a dependent"),
    ("dependent_proof", "proofs_due", "proof for a dependent"),
    ("invoice_due", "invoices_due", "invoice due"),
    ("dispute_end", "disputes_end", "end of the time for a dispute"),
    ("contract_notice", "contract_notice_due", "notice on a contract"),
)


def solve(tools):
    today = "2026-03-01"
    overdue = _all(tools.list_invoices, "invoices", invoice_status="overdue")
    overdue.sort(key=lambda one: one["issued_on"])
    numbers, amounts, open_to_dispute = [], [], []
    for row in overdue:
        invoice = tools.get_invoice(invoice_id=row["invoice_id"])
        numbers.append(invoice["invoice_number"])
        amounts.append(invoice["outstanding_cents"] + invoice["interest_cents"])
        if invoice["dispute_until"] >= today:
            open_to_dispute.append(invoice["invoice_number"])
    deadlines = _all(tools.list_deadlines, "deadlines", date_end="2026-03-20")
    answers = {"overdue_invoices": numbers, "still_to_pay": amounts, "disputable": open_to_dispute or None}
    for kind, field, _ in KINDS:
        answers[field] = [one["due_at"][:10] for one in deadlines if one["deadline_kind"] == kind] or None
    fixed = {one["deadline_kind"] for one in deadlines if not one["movable"]}
    answers["fixed"] = [name for kind, _, name in KINDS if kind in fixed] or None
    owed = ", ".join(f"{number} {amount / 100:.2f} EUR" for number, amount in zip(numbers, amounts))
    names = {kind: name for kind, _, name in KINDS}
    dates = "; ".join(f"{one['due_at'][:10]} {names[one['deadline_kind']]}" for one in deadlines)
    return {
        "outcome": "done", "answers": answers, "reason": None,
        "message": f"Overdue with interest: {owed}; lines can still be disputed on {', '.join(open_to_dispute) or 'none'}."
                   f" Deadlines: {dates}; these never move: {', '.join(answers['fixed'] or ['none'])}.",
    }

def _all(call, key, **arguments):
    rows, cursor = [], None
    while True:
        more = {"page_cursor": cursor} if cursor else {}
        page = call(page_size=100, **arguments, **more)
        rows += page[key]
        cursor = page["next_page_cursor"]
        if not cursor:
            return rows


def _building(tools, address):
    return next(b for b in _all(tools.list_buildings, "buildings") if b["address"] == address)


def solve(tools):
    building = _building(tools, "Rua de São Bento 120")
    rows = _all(tools.list_invoices, "invoices", building_id=building["building_id"],
                date_start="2026-02-01", date_end="2026-02-28")
    for row in rows:
        invoice = tools.get_invoice(invoice_id=row["invoice_id"])
        numbers = {line["call_out_id"] for line in invoice["lines"] if line["call_out_id"]}
        calls = [tools.get_call_out(call_out_id=number) for number in sorted(numbers)]
        calls = sorted((one for one in calls if one["fault_kind"] == "door_fault"), key=lambda one: one["reported_at"])
        if len(calls) == 2:
            break
    second = calls[1]["call_out_id"]
    lines = [line["line_number"] for line in invoice["lines"] if line["call_out_id"] == second]
    dispute = tools.dispute_invoice(
        invoice_id=invoice["invoice_id"], line_numbers=lines, dispute_reason="repeat_fault",
        reason="The second call-out was for the same door fault, less than two weeks after the first was closed.",
    )
    amount = dispute["outstanding_cents"] + invoice["interest_cents"]
    tools.pay_invoice(invoice_id=invoice["invoice_id"], payment_method="bank_transfer", amount_cents=amount)
    return {
        "outcome": "done",
        "answers": {"answer_by": dispute["answer_due_date"]},
        "reason": None,
        "message": f"The second call-out with its surcharge is disputed and must be answered by"
                   f" {dispute['answer_due_date']}; the other {amount / 100:.2f} EUR goes by bank transfer.",
    }

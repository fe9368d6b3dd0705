def solve(tools):
    building = next(
        b for b in tools.list_buildings(page_size=100)["buildings"] if b["address"] == "Rua dos Lagares 14"
    )
    quotations, cursor = [], None
    while True:
        more = {"page_cursor": cursor} if cursor else {}
        page = tools.list_quotations(
            building_id=building["building_id"], quotation_status="issued", page_size=100, **more
        )
        quotations += page["quotations"]
        cursor = page["next_page_cursor"]
        if not cursor:
            break
    invoices, cursor = [], None
    while True:
        more = {"page_cursor": cursor} if cursor else {}
        page = tools.list_invoices(building_id=building["building_id"], page_size=100, **more)
        invoices += page["invoices"]
        cursor = page["next_page_cursor"]
        if not cursor:
            break
    to_pay = 0
    for row in invoices:
        if row["outstanding_cents"] and row["invoice_status"] != "payment_pending":
            invoice = tools.get_invoice(invoice_id=row["invoice_id"])
            to_pay += invoice["outstanding_cents"] + invoice["interest_cents"]
    rest = 1150000 - to_pay - sum(q["total_cents"] for q in quotations)
    left, missing, lapsing = None, None, None
    if rest >= 0:
        left = rest
        message = f"Yes, it is enough for all of them, and {rest / 100:.2f} EUR would be left."
    else:
        missing = -rest
        lapsing = [q["title"] for q in quotations if q["valid_until"] < "2026-03-20"]
        message = f"No, {missing / 100:.2f} EUR is missing. Before the assembly these lapse: {'; '.join(lapsing)}."
    return {
        "outcome": "done",
        "answers": {"enough": rest >= 0, "left_over": left, "missing": missing, "lapse_before": lapsing},
        "reason": None,
        "message": message,
    }

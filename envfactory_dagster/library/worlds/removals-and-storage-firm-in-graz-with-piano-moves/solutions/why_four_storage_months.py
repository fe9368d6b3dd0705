def solve(tools):
    contract = [
        c
        for c in tools.list_storage_contracts()["storage_contracts"]
        if c["container_number"] == 27 and c["starts_on"] == "2025-01-29"
    ][0]
    details = tools.get_storage_contract(storage_contract_id=contract["storage_contract_id"])
    names = (
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    )
    first = int(details["starts_on"][5:7]) - 1
    months = [names[(first + i) % 12] for i in range(details["months_begun"])]
    still_open = 0
    for invoice in tools.list_invoices(storage_contract_id=contract["storage_contract_id"])["invoices"]:
        if invoice["status"] == "open":
            still_open += tools.get_invoice(invoice_id=invoice["invoice_id"])["total_cents"]
    left = details["deposit_cents"] - still_open
    fee = details["handling_fee_cents"]
    return {
        "outcome": "done",
        "answers": {"months_counted": months, "handling_fee": fee, "deposit_left": left},
        "reason": None,
        "message": f"Every calendar month begun counts, so it was {', '.join(months)}; the handling fee in your contract is"
        f" €{fee / 100:.2f}, and €{left / 100:.2f} of your deposit is left once the open €{still_open / 100:.2f} is settled.",
    }

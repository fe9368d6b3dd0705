import collections


def solve(tools):
    run_up = 0
    container = None
    missing = None
    listed = tools.list_storage_contracts()["storage_contracts"]
    # The contract that is somebody else's has another holder than the others.
    holders = collections.Counter(contract["holder"] for contract in listed)
    me = holders.most_common(1)[0][0]
    for short in listed:
        if short["status"] == "cleared" or short["holder"] != me:
            continue
        contract = tools.get_storage_contract(storage_contract_id=short["storage_contract_id"])
        rent = contract["months_begun"] * contract["monthly_price_cents"]
        run_up += rent
        invoiced = 0
        for invoice in tools.list_invoices(storage_contract_id=contract["storage_contract_id"])["invoices"]:
            if invoice["status"] != "cancelled":
                lines = tools.get_invoice(invoice_id=invoice["invoice_id"])["lines"]
                invoiced += sum(line["amount_cents"] for line in lines if line["kind"] == "storage_month")
        if invoiced < rent:
            container = f"container {contract['container_number']}"
            missing = rent - invoiced
    return {
        "outcome": "done",
        "answers": {"container": container, "missing_rent": missing, "run_up_rent": run_up},
        "reason": None,
        "message": f"€{missing / 100:.2f} of rent has not been invoiced yet for {container};"
        f" on both together €{run_up / 100:.2f} has run up.",
    }

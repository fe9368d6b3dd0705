def solve(tools):
    removal = tools.list_removals(first_day="2025-06-19", last_day="2025-06-19", street="Lendkai 55")["removals"][0]
    details = tools.get_removal(removal_id=removal["removal_id"])
    address = [a for a in details["addresses"] if a["street"].startswith("Lendkai 55")][0]
    holidays = tools.list_public_holidays(first_day="2025-06-19", last_day="2025-06-19")["public_holidays"]
    wrong = {}
    told = []
    if address["has_lift"]:
        wrong["floors"] = "There is a lift at Lendkai 55."
        told.append("our contract says that there is a lift at Lendkai 55, so the charge for floors is wrong")
    else:
        told.append("our contract says that there is no lift at Lendkai 55, so the charge for floors is right")
    if holidays:
        told.append(f"19 June was {holidays[0]['name']}, a public holiday, so that surcharge is right")
    else:
        wrong["holiday"] = "19 June was an ordinary Thursday."
        told.append("19 June was no public holiday, so that surcharge is wrong")
    back = 0
    for short in tools.list_invoices(removal_id=removal["removal_id"])["invoices"]:
        if short["status"] == "cancelled":
            continue
        for line in tools.get_invoice(invoice_id=short["invoice_id"])["lines"]:
            if line["kind"] in wrong:
                tools.object_to_invoice_line(invoice_line_id=line["invoice_line_id"], reason=wrong[line["kind"]])
                back += line["amount_cents"]
    return {
        "outcome": "done",
        "answers": {"would_get_back": back},
        "reason": None,
        "message": f"{'; '.join(told)}. I have objected to the wrong one, and you would get back €{back / 100:.2f}.",
    }

def kroner(cents):
    return f"{cents / 100:,.2f} kroner"


def solve(tools):
    unpaid = sorted(
        tools.list_my_invoices(state="unpaid")["invoices"], key=lambda i: (i["due_on"], i["invoice_number"])
    )
    answers = {
        "unpaid_invoices": [i["invoice_number"] for i in unpaid],
        "left_to_pay": [i["left_cents"] for i in unpaid],
    }
    if not unpaid:
        return {"outcome": "done", "answers": answers, "reason": None, "message": "None of your invoices is unpaid."}
    oldest, rest = unpaid[0], unpaid[1:]
    tools.pay_invoice(invoice_id=oldest["id"], amount_cents=oldest["left_cents"])
    owed = sum(i["left_cents"] for i in rest)
    paid_rest = bool(rest) and owed < 200000
    if paid_rest:
        for invoice in rest:
            tools.pay_invoice(invoice_id=invoice["id"], amount_cents=invoice["left_cents"])
    listed = ", ".join(f"{i['invoice_number']} ({kroner(i['left_cents'])} left)" for i in unpaid)
    message = f"Unpaid were {listed}. {oldest['invoice_number']}, due since {oldest['due_on']}, is paid in full"
    if paid_rest:
        message += f", and so is the rest, as only {kroner(owed)} was left after it."
    elif rest:
        message += f"; the other {kroner(owed)} is not less than 2,000 kroner and stays unpaid."
    else:
        message += " and nothing else is owed."
    return {"outcome": "done", "answers": answers, "reason": None, "message": message}

def solve(tools):
    players = [c for c in tools.list_my_customers()["customers"] if c["name"] == "Headingley Lamplight Players"][0]
    invoices = tools.list_invoices(customer_id=players["id"], status="open")["invoices"]
    invoices = [i for i in invoices if i["kind"] != "credit"]
    owed = sum(i["total_cents"] for i in invoices)
    held = 0
    last = None
    for status in ("returned", "inspected"):
        for hire in tools.list_hires(customer_id=players["id"], status=status)["hires"]:
            deposit = tools.get_deposit(hire_id=hire["id"])
            if deposit["status"] == "held":
                held += deposit["amount_cents"]
            returned = tools.get_hire(hire_id=hire["id"])["returned_at"]
            if last is None or returned > last[0]:
                last = (returned, hire["show_title"])
    largest_show = None
    last_show = None
    if owed > held:
        largest = max(invoices, key=lambda i: i["total_cents"])
        largest_show = tools.get_hire(hire_id=largest["hire_id"])["show_title"]
        more = f"You owe more than we hold; the largest open invoice is for {largest_show}."
    else:
        last_show = last[1]
        more = f"You do not owe more than we hold; you brought back {last_show} last."
    return {
        "outcome": "done",
        "answers": {"owed": owed, "held": held, "largest_invoice_show": largest_show, "last_returned_show": last_show},
        "reason": None,
        "message": f"The Players owe {owed / 100:.2f} pounds on open invoices, and we hold {held / 100:.2f} pounds in deposits for hires you have brought back. {more}",
    }

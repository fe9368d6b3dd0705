def solve(tools):
    removal = tools.list_removals(first_day="2025-07-15", last_day="2025-07-15", street="Zinzendorfgasse 19")["removals"][0]
    sheet = tools.get_work_sheet(removal_id=removal["removal_id"])
    waiting = []
    overtime = []
    for short in tools.list_invoices(removal_id=removal["removal_id"])["invoices"]:
        if short["status"] == "cancelled":
            continue
        for line in tools.get_invoice(invoice_id=short["invoice_id"])["lines"]:
            if line["kind"] == "waiting":
                waiting.append(line)
            elif line["kind"] == "overtime":
                overtime.append(line)
    twice = any(
        w["charged_from"] < o["charged_to"] and o["charged_from"] < w["charged_to"] for w in waiting for o in overtime
    )
    waiting_cents = sum(line["amount_cents"] for line in waiting)
    overtime_cents = sum(line["amount_cents"] for line in overtime)
    tools.report_damage(
        removal_id=removal["removal_id"],
        description="One of the men cracked the glass door of our bookcase.",
        amount_cents=28000,
    )
    same = "Yes, waiting and overtime have been" if twice else "No, waiting and overtime have not been"
    return {
        "outcome": "done",
        "answers": {
            "charged_twice": twice,
            "waiting": waiting_cents,
            "overtime": overtime_cents,
            "crew_leader": sheet["crew_leader"],
        },
        "reason": None,
        "message": f"{same} charged for the same time: €{waiting_cents / 100:.2f} for waiting and"
        f" €{overtime_cents / 100:.2f} for overtime; the crew leader was {sheet['crew_leader']}."
        " The cracked glass door is reported as damage of €280.00.",
    }

from datetime import date, timedelta


def _customer(tools, name):
    return [c for c in tools.list_my_customers()["customers"] if c["name"] == name][0]


def _add_working_days(tools, day, count):
    last = date.fromisoformat(day) + timedelta(days=3 * count + 14)
    off = {h["day"] for h in tools.list_bank_holidays(first_day=day, last_day=last.isoformat())["bank_holidays"]}
    moving = date.fromisoformat(day)
    while count > 0:
        moving += timedelta(days=1)
        if moving.weekday() < 5 and moving.isoformat() not in off:
            count -= 1
    return moving.isoformat()


def solve(tools):
    school = _customer(tools, "Beckside School")
    hires = tools.list_hires(customer_id=school["id"], show_title="Cinderella")["hires"]
    hire = tools.get_hire(hire_id=hires[0]["id"])
    charged = None
    for invoice in tools.list_invoices(hire_id=hire["id"], first_day="2024-11-05", last_day="2024-11-05")["invoices"]:
        for line in tools.get_invoice(invoice_id=invoice["id"])["invoice_lines"]:
            if "cuff" in line["description"].lower() and line["piece_id"] is not None:
                charged = (invoice, line)
    invoice, line = charged
    collected = hire["collected_at"][:10]
    jobs = tools.list_piece_jobs(piece_id=line["piece_id"])["cleaning_repair_jobs"]
    earlier = [
        j
        for j in jobs
        if j["reported_on"] < collected and "cuff" in j["description"].lower() and ("tear" in j["description"].lower() or "torn" in j["description"].lower())
    ]
    last_day = _add_working_days(tools, invoice["issued_on"], 10)
    if earlier:
        tools.dispute_invoice(invoice_id=invoice["id"], reason="The cuff was torn when we got it.")
        what = f"A tear in that cuff was on record on {earlier[0]['reported_on']}, before you collected, so I disputed {invoice['invoice_number']}"
    else:
        what = "No tear in that cuff was on record before you collected, so I left the invoice alone"
    return {
        "outcome": "done",
        "answers": {"last_day": last_day},
        "reason": None,
        "message": f"{what}. The last day for a dispute is {last_day}.",
    }

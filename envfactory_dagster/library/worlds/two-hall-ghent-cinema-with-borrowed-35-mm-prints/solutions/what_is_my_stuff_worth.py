def solve(tools):
    tickets = tools.list_my_tickets(status="valid", first_day="2025-11-01", last_day="2025-11-30")["tickets"]
    tickets = sorted(tickets, key=lambda t: (t["starts_at"], -t["price_cents"], t["id"]))
    films, amounts, forms, days, times = [], [], [], [], []
    lines = []
    for ticket in tickets:
        refund = tools.get_ticket_refund(ticket_id=ticket["id"])
        amount = refund["money_cents"] + refund["new_voucher_cents"] + refund["same_voucher_cents"]
        if refund["pass_rides"] > 0:
            form = "pass ride"
        elif refund["money_cents"] > 0:
            form = "money"
        elif refund["new_voucher_cents"] > 0:
            form = "new voucher"
        elif refund["same_voucher_cents"] > 0:
            form = "voucher it was paid with"
        else:
            form = "nothing"
        films.append(ticket["title_name"])
        amounts.append(amount)
        forms.append(form)
        line = f"{ticket['title_name']} on {ticket['starts_at'][:10]}: {form}"
        if amount > 0:
            line += f" {amount / 100:.2f} euros"
        if form != "nothing":
            days.append(refund["worsens_at"][:10])
            times.append(refund["worsens_at"][11:16])
            line += f", worse after {refund['worsens_at'][:10]} {refund['worsens_at'][11:16]}"
        lines.append(line)
    held = tools.list_my_passes_and_vouchers()
    voucher = min((v for v in held["vouchers"] if v["usable"]), key=lambda v: v["expires_on"])
    card = next(p for p in held["passes"] if p["usable"])
    return {
        "outcome": "done",
        "answers": {
            "ticket_films": films,
            "ticket_amounts": amounts,
            "ticket_forms": forms,
            "worse_days": days,
            "worse_times": times,
            "first_voucher": voucher["code"],
            "rides_left": card["rides_left"],
            "rides_until": card["expires_on"],
        },
        "reason": None,
        "message": "Today your tickets bring back: " + "; ".join(lines) + f". Use voucher {voucher['code']} first, it runs out on {voucher['expires_on']}; your tienrittenkaart has {card['rides_left']} rides left, until {card['expires_on']}.",
    }

def solve(tools):
    today = tools.get_my_account()["today"]
    tickets = [t for t in tools.list_my_tickets(status="valid")["tickets"] if t["starts_at"][:10] > today]
    money = 0
    new = 0
    old = 0
    best = None
    best_value = 0
    for ticket in tickets:
        refund = tools.get_ticket_refund(ticket_id=ticket["id"])
        money += refund["money_cents"]
        new += refund["new_voucher_cents"]
        old += refund["same_voucher_cents"]
        if refund["new_voucher_cents"] > best_value:
            best = ticket
            best_value = refund["new_voucher_cents"]
    tools.return_tickets(ticket_ids=[best["id"]])
    return {
        "outcome": "done",
        "answers": {"money_total": money, "new_vouchers_total": new, "old_vouchers_total": old, "film_handed_in": best["title_name"]},
        "reason": None,
        "message": f"All together would bring €{money / 100:.2f} in money, €{new / 100:.2f} in new vouchers and €{old / 100:.2f} on used vouchers; I handed in the ticket for {best['title_name']}, for a voucher of €{best_value / 100:.2f}.",
    }

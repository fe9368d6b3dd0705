def solve(tools):
    tickets = tools.list_my_tickets(status="valid", first_day="2025-11-06", last_day="2025-11-06")["tickets"]
    mine = [t for t in tickets if t["title_name"] == "Nachtbus 41"]
    total = 0
    for ticket in mine:
        refund = tools.get_ticket_refund(ticket_id=ticket["id"])
        total += refund["money_cents"] + refund["new_voucher_cents"] + refund["same_voucher_cents"]
    if total < 1600:
        return {"outcome": "done", "answers": {}, "reason": None, "message": f"The two seats only bring back {total / 100:.2f} euros now, so I have kept them."}
    back = tools.return_tickets(ticket_ids=[t["id"] for t in mine])
    shows = tools.search_screenings(first_day="2025-11-10", last_day="2025-11-16", title_contains="Kraaienwinter", kind="public", min_seats_left=2)["screenings"]
    fitting = []
    for show in shows:
        detail = tools.get_screening(screening_id=show["id"])
        if show["starts_at"][11:16] >= "18:00" and detail["my_member_price_left"] >= 2 and 2 * detail["price_member_cents"] <= back["new_voucher_cents"]:
            fitting.append(show)
    chosen = fitting[0]
    tools.buy_tickets(screening_id=chosen["id"], seats=[{"tariff": "member"}, {"tariff": "member"}], voucher_id=back["refund_voucher_id"])
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"Both Nachtbus 41 seats are handed in for a voucher of {back['new_voucher_cents'] / 100:.2f} euros, and it has paid for two seats for Kraaienwinter on {chosen['starts_at'][:10]} at {chosen['starts_at'][11:16]}.",
    }

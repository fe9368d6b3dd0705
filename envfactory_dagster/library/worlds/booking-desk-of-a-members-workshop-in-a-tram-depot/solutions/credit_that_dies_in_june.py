def solve(tools):
    balance = tools.get_credit_balance()
    dying = sum(row["left_cents"] for row in balance["portions"] if row["expires_on"] == "2026-06-30")
    mine = [
        row for row in tools.search_bookings(first_day="2026-06-16", last_day="2026-06-30")["bookings"]
        if row["status"] in ("provisional", "confirmed")
    ]
    cost = sum(row["price_cents"] for row in mine)
    dearest = max(mine, key=lambda row: row["price_cents"])
    return {
        "outcome": "done",
        "answers": {
            "credit_today": balance["total_cents"],
            "credit_until_30_june": dying,
            "bookings_cost": cost,
            "dearest_machine": dearest["machine"],
            "dearest_day": dearest["starts_at"][:10],
        },
        "reason": None,
        "message": f"You have {balance['total_cents'] / 100:.2f} euros of credit, of which {dying / 100:.2f} expires on 30 June. "
        f"Your bookings until the end of June cost {cost / 100:.2f} euros; the dearest is the {dearest['machine']} on "
        f"{dearest['starts_at'][:10]}.",
    }

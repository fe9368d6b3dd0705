def solve(tools):
    in_bank = 12000
    rate = tools.get_choir()["hire_cents_per_copy"]
    bookings = tools.list_bookings(status="open")["bookings"]
    unpaid = tools.list_charges(status="unpaid")["charges"]
    ahead = sum(one["copies"] * rate for one in bookings)
    needed = ahead + sum(one["amount_cents"] for one in unpaid)
    paid = 0
    for one in unpaid:
        if needed <= in_bank or one["kind"] in ("late", "lost"):
            tools.pay_charge(charge_id=one["id"])
            paid += one["amount_cents"]
    short_by = needed - in_bank if needed > in_bank else None
    if short_by is None:
        told = "The bank covers that, so everything owed is paid."
    else:
        told = f"You fall short by \u20ac{short_by / 100:.2f}, so only late sets and lost copies are paid, \u20ac{paid / 100:.2f}."
    return {
        "outcome": "done",
        "answers": {"needed": needed, "short_by": short_by},
        "reason": None,
        "message": f"It all comes to \u20ac{needed / 100:.2f}. {told}",
    }

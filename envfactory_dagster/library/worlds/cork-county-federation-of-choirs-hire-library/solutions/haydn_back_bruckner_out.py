def solve(tools):
    collector = next(one for one in tools.get_choir()["collectors"] if one["name"] == "Fergal Hurley")
    loans = tools.list_loans(status="out")["loans"]
    haydn = next(one for one in loans if one["title"] == "Nelson Mass")
    bookings = tools.list_bookings(status="open")["bookings"]
    bruckner = next(
        one for one in bookings
        if "Bruckner" in one["composer"] and one["copies"] == 42 and one["concert_date"] == "2026-05-02"
    )
    charges = tools.return_loan(loan_id=haydn["id"], copies_lost=haydn["copies"] - 38)["charges"]
    for charge in charges:
        tools.pay_charge(charge_id=charge["id"])
    loan = tools.put_out_booking(booking_id=bruckner["id"], collector_id=collector["id"])["loan"]
    paid = sum(one["amount_cents"] for one in charges)
    return {
        "outcome": "done",
        "answers": {"due": loan["due_on"]},
        "reason": None,
        "message": (
            f"The Haydn is back with two copies lost, and its charges of \u20ac{paid / 100:.2f} are paid. "
            f"Fergal has the 42 Bruckner motets; they are due on {loan['due_on']}."
        ),
    }

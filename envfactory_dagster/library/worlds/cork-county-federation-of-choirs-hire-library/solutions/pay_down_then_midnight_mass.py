def solve(tools):
    choir = tools.get_choir()
    collector = next(one for one in choir["collectors"] if one["name"] == "Siobh\u00e1n Kiely")
    bookings = tools.list_bookings(status="open")["bookings"]
    booking = next(one for one in bookings if one["title"] == "Messe de minuit" and one["concert_date"] == "2026-12-24")
    unpaid = choir["unpaid_cents"]
    paid = 0
    for charge in tools.list_charges(status="unpaid")["charges"]:
        if unpaid <= 5000:
            break
        unpaid = tools.pay_charge(charge_id=charge["id"])["unpaid_cents"]
        paid += charge["amount_cents"]
    result = tools.put_out_booking(booking_id=booking["id"], collector_id=collector["id"])
    hire, due = result["charge"]["amount_cents"], result["loan"]["due_on"]
    return {
        "outcome": "done",
        "answers": {"paid": paid, "hire": hire, "due": due},
        "reason": None,
        "message": (
            f"I paid \u20ac{paid / 100:.2f} of your charges and put the Messe de minuit out to Siobh\u00e1n Kiely. "
            f"The hire is \u20ac{hire / 100:.2f} and the set is due on {due}."
        ),
    }

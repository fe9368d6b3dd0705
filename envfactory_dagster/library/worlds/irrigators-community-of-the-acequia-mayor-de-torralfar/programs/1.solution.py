def solve(tools):
    back = 0
    for booking in tools.list_my_well_bookings(status="booked", first_day="2026-07-20", last_day="2026-08-02")["well_bookings"]:
        back += tools.cancel_well_booking(well_booking_id=booking["well_booking_id"])["returned_cents"]
    fines = tools.list_my_fines(status="open")["fines"]
    owed = sum(fine["amount_cents"] for fine in fines)
    paid = False
    if fines and back >= owed:
        for fine in fines:
            tools.pay_fine(fine_id=fine["fine_id"], paid_by="card")
        paid = True
    text = f"{back / 100:.2f} € come back from the well; "
    text += f"the fine of {owed / 100:.2f} € is paid by card." if paid else "the fine is left for the Thursday table."
    return {
        "outcome": "done",
        "answers": {"comes_back": back, "fine_paid": paid},
        "reason": None,
        "message": text,
    }

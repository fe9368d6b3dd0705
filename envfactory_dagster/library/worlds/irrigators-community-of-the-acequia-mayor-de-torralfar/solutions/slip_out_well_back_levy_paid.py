def solve(tools):
    draw = tools.list_draws(first_day="2026-08-20", last_day="2026-08-20")["draws"][0]
    slip = tools.list_my_slips(draw_id=draw["draw_id"], status="in_box")["slips"][0]
    tools.take_out_slip(slip_id=slip["slip_id"])
    booking = tools.list_my_well_bookings(status="booked", first_day="2026-08-16", last_day="2026-08-16")["well_bookings"][0]
    cancelled = tools.cancel_well_booking(well_booking_id=booking["well_booking_id"])
    half = next(row for row in tools.list_my_levy_halves()["levy_halves"] if row["due_on"] == "2026-09-30" and row["status"] != "paid")
    paid = tools.pay_levy_half(levy_half_id=half["levy_half_id"], paid_by="transfer")
    return {
        "outcome": "done",
        "answers": {"comes_back": cancelled["returned_cents"]},
        "reason": None,
        "message": f"Your slip is out of the box, the well of 16 August is cancelled and {cancelled['returned_cents'] / 100:.2f} € come back, and the half levy is paid by transfer with {paid['paid_cents'] / 100:.2f} €.",
    }

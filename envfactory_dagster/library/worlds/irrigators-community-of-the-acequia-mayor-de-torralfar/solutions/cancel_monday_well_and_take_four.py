def _find(tools, hours):
    for day in ("2026-07-21", "2026-07-22", "2026-07-23", "2026-07-24"):
        for piece in tools.list_free_well_hours(day=day)["free"]:
            first, last = int(piece["starts_at"][11:13]), int(piece["ends_at"][11:13])
            if min(last, 14) - first >= hours:
                return f"{day}T{first:02d}:00:00"
    return None


def solve(tools):
    monday = tools.list_my_well_bookings(status="booked", first_day="2026-07-20", last_day="2026-07-20")["well_bookings"][0]
    cancelled = tools.cancel_well_booking(well_booking_id=monday["well_booking_id"])
    hours = 4
    starts_at = _find(tools, hours)
    if starts_at is None:
        hours = 3
        starts_at = _find(tools, hours)
    booking = tools.book_well_hours(plot_id=monday["plot_id"], starts_at=starts_at, hours=hours, paid_by="card")
    return {
        "outcome": "done",
        "answers": {"comes_back": cancelled["returned_cents"]},
        "reason": None,
        "message": f"Monday's hours are cancelled and {cancelled['returned_cents'] / 100:.2f} € come back; you have {hours} hours from {booking['starts_at']} to {booking['ends_at']}, paid by card with {booking['price_cents'] / 100:.2f} €.",
    }

def solve(tools):
    plot = next(row for row in tools.get_my_membership()["plots"] if row["plot"] == 16)
    starts = []
    for day in ("2026-07-16", "2026-07-17"):
        sheet = tools.list_free_well_hours(day=day)
        for piece in sheet["free"]:
            first, last = int(piece["starts_at"][11:13]), int(piece["ends_at"][11:13])
            for hour in range(max(first, 13), min(last, 21) - 2):
                starts.append(f"{day}T{hour:02d}:00:00")
    starts.sort()
    booking = tools.book_well_hours(plot_id=plot["plot_id"], starts_at=starts[0], hours=3, paid_by="card")
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"The well is yours from {booking['starts_at']} to {booking['ends_at']}, paid by card with {booking['price_cents'] / 100:.2f} €.",
    }

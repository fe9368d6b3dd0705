import datetime


def solve(tools):
    plot_id = tools.get_my_membership()["plots"][0]["plot_id"]
    mine = tools.list_my_well_bookings(status="booked")["well_bookings"]
    days = []
    paid = 0
    day = datetime.date(2026, 7, 21)
    while day <= datetime.date(2026, 8, 25):
        monday = (day - datetime.timedelta(days=1)).isoformat()
        sunday = (day + datetime.timedelta(days=5)).isoformat()
        has_hours = any(monday <= booking["starts_at"][:10] <= sunday for booking in mine)
        starts = day.isoformat() + "T08:00:00"
        ends = day.isoformat() + "T10:00:00"
        free = tools.list_free_well_hours(day=day.isoformat())["free"]
        if not has_hours and any(piece["starts_at"] <= starts and ends <= piece["ends_at"] for piece in free):
            booking = tools.book_well_hours(plot_id=plot_id, starts_at=starts, hours=2, paid_by="card")
            paid += booking["price_cents"]
            days.append(day.isoformat())
        day += datetime.timedelta(days=7)
    return {
        "outcome": "done",
        "answers": {"days_booked": days, "paid_in_all": paid},
        "reason": None,
        "message": f"The well is booked from 08:00 to 10:00 on {', '.join(days)}, for {paid / 100:.2f} € in all.",
    }

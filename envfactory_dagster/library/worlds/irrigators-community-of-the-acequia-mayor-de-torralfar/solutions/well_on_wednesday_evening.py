def solve(tools):
    plot = next(row for row in tools.get_my_membership()["plots"] if row["plot"] == 16)
    tools.list_turns(start_day="Wed", plot_id=plot["plot_id"])
    try:
        booking = tools.book_well_hours(plot_id=plot["plot_id"], starts_at="2026-07-15T18:00:00", hours=2, paid_by="card")
    except tools.Error as error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "well_hours_and_place",
            "message": f"The well cannot be booked for Wednesday 15 July from 18:00 to 20:00: nobody has its hours during his own turns. {error}",
        }
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"The well is booked from {booking['starts_at']}.",
    }

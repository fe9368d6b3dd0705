def solve(tools):
    lease = next(row for row in tools.list_my_leases()["leases"] if row["plot"] == 16 and row["ends_on"] == "2026-08-31")
    filed = tools.file_longer_lease(
        plot_id=lease["plot_id"],
        lessor="Carmen Ibáñez Roig",
        signed_on="2026-07-06",
        starts_on="2026-09-01",
        ends_on="2031-08-31",
    )
    draw = tools.list_draws(first_day="2026-07-16", last_day="2026-07-16")["draws"][0]
    slip = tools.put_in_slip(draw_id=draw["draw_id"], choice="T-23")
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"Your longer lease is on file to {filed['ends_on']}, and your slip for {slip['draw']} on {draw['thursday']} lies in the box, for T-23 on Saturday {draw['t23_on']}.",
    }

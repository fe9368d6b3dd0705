def solve(tools):
    role = next(r for r in tools.get_my_profile()["club_roles"] if r["club_name"].startswith("Sukellusseura Kaukahauki"))
    club = role["club_id"]
    dates = tools.list_lane_bookings(status="booked", club_id=club, first_day="2026-03-10", last_day="2026-03-12")["lane_bookings"]
    tuesday = next(
        d for d in dates if d["basis"] == "contract" and d["lane"] == 4 and d["starts_at"].startswith("2026-03-10T18:00")
    )
    thursday = next(d for d in dates if d["basis"] == "season" and d["starts_at"].startswith("2026-03-12T19:00"))
    if tuesday["fee_if_cancelled_now_cents"] == 0 and thursday["fee_if_cancelled_now_cents"] == 0:
        tools.cancel_club_lane_date(lane_booking_id=tuesday["id"])
        tools.cancel_club_lane_date(lane_booking_id=thursday["id"])
        message = "Lane 4 on Tuesday 10 March and your Thursday turn of 12 March are cancelled free of charge."
    else:
        message = "I have left Tuesday 10 March and Thursday 12 March as they are, as cancelling would cost the club something."
    free = [
        f
        for f in tools.search_free_lanes(day="2026-03-11", first_start_time="17:00", last_start_time="19:00")["free"]
        if f["lane"] in (4, 5, 6) and f["starts_at"][11:16] in ("17:00", "18:00", "19:00")
    ]
    hour = max(free, key=lambda f: (f["starts_at"], f["lane"]))
    booked = tools.book_lane_turn(
        lane=hour["lane"], starts_at=hour["starts_at"], club_id=club, swimmers="adults", method="bank_card"
    )["lane_booking"]
    message += (
        f" The club has lane {booked['lane']} on Wednesday 11 March at {booked['starts_at'][11:16]} for"
        f" {booked['price_cents'] / 100:.2f} euros, paid with your bank card."
    )
    return {"outcome": "done", "answers": {}, "reason": None, "message": message}

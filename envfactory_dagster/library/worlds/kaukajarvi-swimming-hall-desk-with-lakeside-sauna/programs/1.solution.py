def solve(tools):
    sauna = sum(
        turn["cancellation_fee_cents"] or 0
        for turn in tools.list_sauna_turns(status="cancelled", first_day="2026-01-01", last_day="2026-12-31")["sauna_turns"]
    )
    lanes = sum(
        hour["price_cents"]
        for hour in tools.list_lane_bookings(status="no_show", first_day="2026-01-01", last_day="2026-12-31")["lane_bookings"]
        if hour["basis"] == "loose"
    )
    back = None
    if sauna > lanes:
        what = "The small sauna on 13 November"
        for turn in tools.list_sauna_turns(status="booked", first_day="2026-11-13", last_day="2026-11-13")["sauna_turns"]:
            if turn["sauna"] == "small" and turn["fee_if_cancelled_now_cents"] == 0:
                given = tools.cancel_sauna_turn(sauna_turn_id=turn["id"])["payments"]
                back = sum(p["amount_cents"] for p in given if p["kind"] == "refund")
    else:
        what = "The lane hour on 28 September"
        hours = tools.list_lane_bookings(basis="loose", status="booked", first_day="2026-09-28", last_day="2026-09-28")["lane_bookings"]
        for hour in hours:
            try:
                given = tools.cancel_loose_lane_turn(lane_booking_id=hour["id"])["payments"]
            except tools.Error:
                continue
            back = sum(p["amount_cents"] for p in given if p["kind"] == "refund")
    if back is None:
        end = f"{what} would not be free of charge any more, so I have left it."
    else:
        end = f"{what} is cancelled, and {back / 100:.2f} euros come back to you."
    return {
        "outcome": "done",
        "answers": {"lost_on_saunas": sauna, "lost_on_lane_hours": lanes, "amount_back": back},
        "reason": None,
        "message": f"This year you have lost {sauna / 100:.2f} euros on sauna turns cancelled too late and {lanes / 100:.2f} euros on lane hours you did not come for. {end}",
    }

def solve(tools):
    first, last = "2026-09-15", "2026-09-20"
    back, staying = 0, []
    hours = tools.list_lane_bookings(basis="loose", status="booked", first_day=first, last_day=last)["lane_bookings"]
    for hour in hours:
        try:
            paid = tools.cancel_loose_lane_turn(lane_booking_id=hour["id"])["payments"]
        except tools.Error:
            staying.append((hour["starts_at"][:10], f"lane {hour['lane']} at {hour['starts_at'][11:16]}"))
            continue
        back += sum(p["amount_cents"] for p in paid if p["kind"] == "refund")
    turns = tools.list_sauna_turns(status="booked", first_day=first, last_day=last)["sauna_turns"]
    for turn in turns:
        if turn["fee_if_cancelled_now_cents"] != 0:
            staying.append((turn["held_on"], f"the {turn['sauna']} sauna at {turn['starts_time']}"))
            continue
        paid = tools.cancel_sauna_turn(sauna_turn_id=turn["id"])["payments"]
        back += sum(p["amount_cents"] for p in paid if p["kind"] == "refund")
    staying.sort()
    rest = ", ".join(f"{what} on {day}" for day, what in staying)
    return {
        "outcome": "done",
        "answers": {"amount_back": back, "days_still_booked": sorted({day for day, _ in staying})},
        "reason": None,
        "message": f"All that was free of charge is cancelled, and {back / 100:.2f} euros come back to you. Still booked: {rest or 'nothing'}.",
    }

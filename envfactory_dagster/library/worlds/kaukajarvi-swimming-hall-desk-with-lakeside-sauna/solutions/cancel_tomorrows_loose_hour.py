def solve(tools):
    hours = tools.list_lane_bookings(basis="loose", status="booked", first_day="2026-03-03", last_day="2026-03-03")["lane_bookings"]
    hour = next(h for h in hours if h["lane"] == 6 and h["starts_at"][11:16] == "17:00" and h["club_id"] is None)
    try:
        paid = tools.cancel_loose_lane_turn(lane_booking_id=hour["id"])["payments"]
        back = sum(p["amount_cents"] for p in paid)
        return {
            "outcome": "done",
            "answers": {},
            "reason": None,
            "message": f"Your hour on lane 6 is cancelled, and {back / 100:.2f} euros go back to your bank card.",
        }
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "loose_lane_turn",
            "message": (
                "Your hour on lane 6 tomorrow at 17:00 cannot be cancelled, nor its price refunded: a loose lane turn can be cancelled"
                " only by the person who booked it and no later than 48 hours before it starts. The booking stays as it is."
            ),
        }

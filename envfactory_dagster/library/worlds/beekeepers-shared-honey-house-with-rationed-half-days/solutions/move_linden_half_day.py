NOW = "2025-06-18T11:30:00"


def solve(tools):
    mine = tools.list_bookings(first_day="2025-06-21", last_day="2025-06-21")["bookings"]
    old = next(b for b in mine if b["half"] == "PM" and b["status"] in ("confirmed", "awaiting_mentor"))
    back = None
    cost = None
    message = "Part of the fee would be lost, so everything stays as it is."
    if NOW <= old["full_refund_until"]:
        mornings = tools.list_half_days(first_day="2025-06-26", last_day="2025-06-28", half="AM", free_only=True)["half_days"]
        open_ones = sorted((d for d in mornings if NOW <= d["closes_at"]), key=lambda d: d["held_on"])
        chosen = open_ones[0]
        me = tools.get_own_membership()["member_no"]
        back = tools.cancelBooking(bookingId=old["booking_no"], reason="member")["refund_cents"]
        new = tools.bookHalfDay(
            memberNo=me,
            date=chosen["held_on"],
            half="AM",
            supers=[{"hiveType": old["hive_type"], "count": 22}],
            honeyType="linden",
        )
        cost = new["fee_cents"]
        message = (
            f"The half-day of 21 June is cancelled and {back / 100:.2f} EUR come back; "
            f"you now have the morning of {new['held_on']}, which costs {cost / 100:.2f} EUR."
        )
    return {
        "outcome": "done",
        "answers": {"comes_back": back, "new_cost": cost},
        "reason": None,
        "message": message,
    }

def solve(tools):
    me = tools.get_own_membership()
    left = tools.getMember(memberNo=me["member_no"])["half_days_left"]
    day = None
    fee = None
    refund = None
    message = f"Your quota had {left} half-days left."
    if left > 0:
        mornings = tools.list_half_days(first_day="2025-08-19", last_day="2025-08-31", half="AM", free_only=True)["half_days"]
        fit = [d for d in mornings if d["closes_at"] >= "2025-08-19T09:30:00"]
        if fit:
            first = min(fit, key=lambda d: d["held_on"])
            booking = tools.bookHalfDay(
                memberNo=me["member_no"],
                date=first["held_on"],
                half="AM",
                supers=[{"hiveType": "AZ", "count": 30}],
                honeyType="chestnut",
            )
            day = booking["held_on"]
            fee = booking["fee_cents"]
            message += f" The morning of {day} is booked for {fee / 100:.2f} EUR."
    balance = tools.get_own_membership()["balance_cents"]
    if day is not None and balance < -2500:
        september = tools.list_bookings(status="confirmed", first_day="2025-09-01", last_day="2025-09-30")["bookings"]
        for b in september:
            if b["honey_type"] == "spruce" and b["full_refund_until"] >= "2025-08-19T09:30:00":
                refund = tools.cancelBooking(bookingId=b["booking_no"], reason="member")["refund_cents"]
                balance += refund
                message += f" The spruce half-day is cancelled and {refund / 100:.2f} EUR come back."
    owed = max(0, -balance)
    return {
        "outcome": "done",
        "answers": {"half_days_left": left, "day": day, "fee": fee, "comes_back": refund, "owed": owed},
        "reason": None,
        "message": message + f" You owe {owed / 100:.2f} EUR in the end.",
    }

def solve(tools):
    halls = tools.list_my_hall_bookings()["hall_bookings"]
    school = tools.list_my_school_bookings()["school_bookings"]
    hall_total = sum(b["cancellation_fee_now_cents"] or 0 for b in halls if b["status"] == "confirmed")
    school_total = sum(b["cancellation_fee_now_cents"] or 0 for b in school if b["status"] == "confirmed")
    if hall_total > school_total:
        option = [b for b in halls if b["status"] == "option" and b["cancellation_fee_now_cents"] is not None][0]
        tools.cancel_hall_booking(hall_booking_id=option["id"], fee_cents=option["cancellation_fee_now_cents"])
        what = "the hall option"
    else:
        option = [b for b in school if b["status"] == "option" and b["cancellation_fee_now_cents"] is not None][0]
        tools.cancel_school_booking(school_booking_id=option["id"], fee_cents=option["cancellation_fee_now_cents"])
        what = "the school option"
    day = option["starts_at"][:10]
    return {
        "outcome": "done",
        "answers": {"hall_total": hall_total, "school_total": school_total, "day_given_up": day},
        "reason": None,
        "message": f"Cancelling would cost €{hall_total / 100:.2f} for the halls and €{school_total / 100:.2f} for the school; I gave up {what} of {day}.",
    }

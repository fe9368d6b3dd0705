def solve(tools):
    bookings = tools.list_my_school_bookings()["school_bookings"]
    outing = [b for b in bookings if b["status"] == "confirmed" and b["starts_at"][:10] == "2026-03-25"][0]
    option = [b for b in bookings if b["status"] == "option" and b["starts_at"][:10] == "2026-04-23"][0]
    bill = tools.set_final_headcount(school_booking_id=outing["id"], pupils_final=66)
    absent = bill["charged_pupils"] - bill["pupils_final"]
    if absent > 0:
        found = tools.search_screenings(first_day="2026-05-05", last_day="2026-05-05", kind="school")["screenings"]
        tools.cancel_school_booking(school_booking_id=option["id"], fee_cents=option["cancellation_fee_now_cents"])
        tools.take_school_option(
            screening_id=found[0]["id"], pupils_announced=option["pupils_announced"], teachers=option["teachers"], youngest_age=option["youngest_age"]
        )
        day = "2026-05-05"
    else:
        tools.confirm_school_booking(school_booking_id=option["id"])
        day = "2026-04-23"
    later = [b for b in tools.list_my_school_bookings()["school_bookings"] if b["status"] in ("option", "confirmed") and b["starts_at"][:10] == day][0]
    last = later["headcount_deadline_at"][:10]
    return {
        "outcome": "done",
        "answers": {"cost_of_outing": bill["amount_cents"], "absent_pupils_paid": absent, "next_outing_day": day, "headcount_day": last},
        "reason": None,
        "message": f"25 March costs €{bill['amount_cents'] / 100:.2f}, with {absent} absent pupils paid for; the next outing is on {day}, with its final headcount due on {last}.",
    }

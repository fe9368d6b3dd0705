def solve(tools):
    bookings = tools.list_my_school_bookings(status="confirmed")["school_bookings"]
    morning = next(b for b in bookings if b["title_name"] == "Kraaienwinter" and b["starts_at"].startswith("2025-11-13"))
    told = []
    if morning["charged_pupils_floor"] <= 87:
        bill = tools.set_final_headcount(school_booking_id=morning["id"], pupils_final=87)
        told.append(f"The final count for 13 November is 87 pupils, for {bill['amount_cents'] / 100:.2f} euros")
    else:
        told.append("I left the count for 13 November as it was, since 87 pupils would cost extra")
    shows = tools.search_screenings(first_day="2025-11-24", last_day="2025-11-28", kind="school", max_kijkwijzer_age=9, min_seats_left=45)["screenings"]
    chosen = shows[0]
    option = tools.take_school_option(screening_id=chosen["id"], pupils_announced=42, teachers=3, youngest_age=11)
    tools.confirm_school_booking(school_booking_id=option["school_booking_id"])
    told.append(f"{chosen['title_name']} on {chosen['starts_at'][:10]} at {chosen['starts_at'][11:16]} is booked for 42 pupils and three teachers")
    return {"outcome": "done", "answers": {}, "reason": None, "message": "; ".join(told) + "."}

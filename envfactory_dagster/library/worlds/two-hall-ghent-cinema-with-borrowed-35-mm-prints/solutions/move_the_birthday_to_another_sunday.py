def solve(tools):
    bookings = tools.list_my_hall_bookings(status="confirmed", first_day="2026-05-10", last_day="2026-05-10")["hall_bookings"]
    old = next(b for b in bookings if b["hall_name"] == "Zaal 2")
    told = []
    if old["cancellation_fee_now_cents"] is not None and old["cancellation_fee_now_cents"] <= 2500:
        gone = tools.cancel_hall_booking(hall_booking_id=old["id"], fee_cents=old["cancellation_fee_now_cents"])
        told.append(f"10 May is cancelled for {gone['cancellation_fee_cents'] / 100:.2f} euros")
    else:
        told.append("10 May would cost more than 25 euros to cancel, so I kept it")
    blocks = tools.search_hall_blocks(first_day="2026-05-01", last_day="2026-05-31", hall_id=old["hall_id"], weekday=7)["blocks"]
    free = [b for b in blocks if b["starts_at"][11:16] == "14:00" and b["starts_at"][:10] != "2026-05-10"]
    block = free[0]
    title = next(t for t in tools.search_titles(name_contains="Pelle en de vos", carrier="DCP")["titles"] if t["name"] == "Pelle en de vos")
    copy = next(c for c in title["copies"] if c["carrier"] == "DCP")
    option = tools.take_hall_option(
        hall_id=block["hall_id"], starts_at=block["starts_at"], purpose="my daughter's birthday do", guests=25, youngest_age=7, copy_id=copy["id"]
    )
    tools.pay_hall_deposit(hall_booking_id=option["hall_booking_id"], payment_method="bancontact")
    tools.confirm_hall_booking(hall_booking_id=option["hall_booking_id"])
    told.append(f"Zaal 2 is booked for the afternoon of {block['starts_at'][:10]} with Pelle en de vos, {option['total_cents'] / 100:.2f} euros in all, of which the deposit of {option['deposit_cents'] / 100:.2f} euros is paid")
    return {"outcome": "done", "answers": {}, "reason": None, "message": "; ".join(told) + "."}

def solve(tools):
    account = tools.get_my_account()
    club = [c for c in account["clubs"] if c["name"] == "De Lichtbak"][0]
    withdrawn = 0
    for request in tools.list_my_programming_requests(club_id=club["id"])["programming_requests"]:
        if request["status"] in ("to_be_traced", "submitted", "quoted") and request["first_wish_at"][:4] == "2026":
            tools.withdraw_programming_request(programming_request_id=request["id"])
            withdrawn += 1
    back = 0
    for booking in tools.list_my_hall_bookings(status="confirmed")["hall_bookings"]:
        fee = booking["cancellation_fee_now_cents"]
        if fee is not None and fee <= 3000:
            back += tools.cancel_hall_booking(hall_booking_id=booking["id"], fee_cents=fee)["refunded_cents"]
    left = tools.get_club_quota(club_id=club["id"], month=account["today"][:7])["season_left"]
    return {
        "outcome": "done",
        "answers": {"requests_withdrawn": withdrawn, "deposits_back": back, "screenings_left": left},
        "reason": None,
        "message": f"{withdrawn} requests are withdrawn, €{back / 100:.2f} of the deposits comes back, and De Lichtbak can still have {left} screenings this season.",
    }

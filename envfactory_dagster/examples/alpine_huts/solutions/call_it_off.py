def solve(tools):
    bookings = tools.list_bookings(status="confirmed", first_day="2027-02-05", last_day="2027-02-07")["bookings"]
    stay = next(booking for booking in bookings if booking["hut"] == "Schneelahn Hut")
    places = [
        place
        for place in tools.list_my_tours(status="signed_up")["signups"]
        if place["starts_at"].startswith("2027-02-06")
    ]
    places.sort(key=lambda place: place["guardian_id"] is None)  # minors first, then whoever looks after them
    for place in places:
        tools.cancel_tour_signup(tour_signup_id=place["tour_signup_id"])
    tools.cancel_booking(booking_code=stay["booking_code"])
    marek = next(c for c in tools.list_companions()["companions"] if c["full_name"].startswith("Marek"))
    tools.remove_companion(person_id=marek["person_id"])
    refunds = tools.list_refunds(since=tools.get_my_profile()["today"])
    return {
        "outcome": "done",
        "answers": {"money_back": refunds["total_cents"]},
        "reason": None,
        "message": f"Everything is cancelled; {refunds['total_cents'] / 100:.2f} euros come back to you.",
    }

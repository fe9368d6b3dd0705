def solve(tools):
    before = sum(line["amount_cents"] for line in tools.list_account_lines(status="owed")["account_lines"])
    gone = []
    for booking in tools.list_my_bookings(status="booked", first_day="2026-06-25", last_day="2026-07-01")["bookings"]:
        if booking["place"] == "TABLE":
            continue
        if booking["on_day"] == "2026-07-01" and booking["starts"] >= "12:00":
            continue
        tools.cancel_booking(booking_id=booking["id"])
        gone.append(f"{booking['on_day']} {booking['slot']}")
    after = sum(line["amount_cents"] for line in tools.list_account_lines(status="owed")["account_lines"])
    less = before - after
    return {
        "outcome": "done",
        "answers": {"less_owed": less},
        "reason": None,
        "message": f"I have cancelled these booths: {', '.join(gone)}. You owe {less / 100:.2f} euro less.",
    }

def solve(tools):
    def free_seats(evening):
        return sum(t["seats"] for t in evening["play_tables"] if t["is_free"])

    turn = next(
        t for t in tools.list_my_hosting_turns(status="signed_up")["hosting_turns"] if t["starts_at"][:10] == "2026-11-18"
    )
    own = tools.get_club_evening(club_evening_id=turn["club_evening_id"])
    others = []
    for found in tools.search_club_evenings(first_day="2026-11-19", last_day="2026-12-04", status="planned")["club_evenings"]:
        evening = tools.get_club_evening(club_evening_id=found["id"])
        if evening["host_name"] is None:
            others.append(evening)
    best = max(others, key=free_seats)
    chosen = own
    if free_seats(best) > free_seats(own):
        tools.give_back_hosting_turn(hosting_turn_id=turn["id"])
        tools.sign_up_to_host(club_evening_id=best["id"])
        chosen = best
    table = max((t for t in chosen["play_tables"] if t["is_free"]), key=lambda t: t["seats"])
    day = chosen["starts_at"][:10]
    bookings = tools.list_my_table_bookings(status="booked", first_day=day, last_day=day)["table_bookings"]
    if bookings:
        booking = tools.change_table_booking(
            table_booking_id=bookings[0]["id"], play_table_id=table["id"], people=table["seats"]
        )["table_booking"]
    else:
        booking = tools.book_table(club_evening_id=chosen["id"], play_table_id=table["id"], people=table["seats"])[
            "table_booking"
        ]
    return {
        "outcome": "done",
        "answers": {
            "free_seats_18_november": free_seats(own),
            "free_seats_best_other": free_seats(best),
            "evening_hosted": day,
            "table": booking["play_table_name"],
            "people": booking["people"],
        },
        "reason": None,
        "message": f"18 November has {free_seats(own)} free seats and the best other evening that needs a host has {free_seats(best)}."
        f" You now host on {day} and have the {booking['play_table_name']} for {booking['people']} people.",
    }

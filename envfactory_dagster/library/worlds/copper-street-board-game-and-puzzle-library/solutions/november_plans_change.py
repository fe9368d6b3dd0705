def solve(tools):
    told = []

    turns = tools.list_my_hosting_turns(status="signed_up")["hosting_turns"]
    turn = next(t for t in turns if t["starts_at"].startswith("2026-11-18"))
    tools.give_back_hosting_turn(hosting_turn_id=turn["id"])
    told.append("your hosting turn on 18 November 2026 is given back")

    bookings = tools.list_my_table_bookings(status="booked", first_day="2026-11-20", last_day="2026-11-20")["table_bookings"]
    booking = bookings[0]
    change = {"table_booking_id": booking["id"], "people": 6}
    if booking["seats"] < 6:
        evening = tools.get_club_evening(club_evening_id=booking["club_evening_id"])
        fitting = [t for t in evening["play_tables"] if t["is_free"] and t["seats"] >= 6]
        change["play_table_id"] = min(fitting, key=lambda t: (t["seats"], t["name"]))["id"]
    changed = tools.change_table_booking(**change)["table_booking"]
    told.append(
        f"your booking for 20 November 2026 is now for {changed['people']} people at the {changed['play_table_name']}, "
        f"which has {changed['seats']} seats"
    )

    waiting = tools.list_my_holds(status="waiting")["holds"]
    kite = next((h for h in waiting if h["title_name"] == "Kite Festival"), None)
    if kite is not None:
        tools.cancel_hold(hold_id=kite["id"])
        told.append("your reservation for Kite Festival was still waiting and is cancelled")
    else:
        told.append("your reservation for Kite Festival is no longer waiting, so it is left as it is")

    return {"outcome": "done", "answers": {}, "reason": None, "message": f"Done: {'; '.join(told)}."}

import datetime


def solve(tools):
    pencilled = [
        loan
        for loan in tools.list_loans(status="pencilled")["loans"]
        if loan["client_name"].startswith("Yvette") and loan["item_type_name"] == "pressure mattress"
    ][0]
    stay = tools.list_laundry_stays(item_id=pencilled["item_id"], status="at_laundry")["laundry_stays"][0]
    slot = tools.search_van_slots(first_day=stay["free_from"], min_points_left=1)["van_slots"][0]
    tools.book_delivery(loan_id=pencilled["loan_id"], van_slot_id=slot["van_slot_id"])
    if datetime.date.fromisoformat(slot["day"]).weekday() == 5:
        for delivery in tools.list_deliveries(kind="delivery", status="booked")["deliveries"]:
            if delivery["client_name"].startswith("Ray") and delivery["item_type_name"] == "pressure mattress":
                tools.move_delivery(delivery_id=delivery["delivery_id"], van_slot_id=slot["van_slot_id"])
    left = None
    for other in tools.search_van_slots(first_day=slot["day"], last_day=slot["day"])["van_slots"]:
        if other["van_slot_id"] == slot["van_slot_id"]:
            left = other["points_left"]
    return {
        "outcome": "done",
        "answers": {"day": slot["day"], "driver": slot["volunteer_name"], "points_left": left},
        "reason": None,
        "message": f"{slot['volunteer_name']} brings Yvette's mattress on {slot['day']}; the van has {left} points left.",
    }

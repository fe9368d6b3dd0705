def solve(tools):
    offer = next(
        row
        for row in tools.list_offers(status="open")["offers"]
        if row["client_name"] == "Doreen Boutilier" and row["item_type_name"] == "pressure mattress"
    )
    types = tools.list_item_types()["item_types"]
    points = next(row["van_points"] for row in types if row["name"] == "pressure mattress")
    slots = tools.search_van_slots(first_day="2026-07-06", last_day="2026-07-08", min_points_left=points)["van_slots"]
    mornings = [slot for slot in slots if slot["part_of_day"] == "morning"]
    slot = (mornings or slots)[-1]
    loan = tools.accept_offer(offer_id=offer["offer_id"])
    booked = tools.book_delivery(loan_id=loan["loan_id"], van_slot_id=slot["van_slot_id"])
    return {
        "outcome": "done",
        "answers": {
            "who_comes": booked["volunteer_name"],
            "day": booked["day"],
            "part_of_day": booked["part_of_day"],
        },
        "reason": None,
        "message": f"The offer is accepted, and {booked['volunteer_name']} brings the mattress on {booked['day']} in the {booked['part_of_day']}.",
    }

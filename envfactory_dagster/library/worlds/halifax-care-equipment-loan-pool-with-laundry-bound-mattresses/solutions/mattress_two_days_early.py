def solve(tools):
    loan = next(
        row
        for row in tools.list_loans(status="pencilled")["loans"]
        if row["client_name"].startswith("Earl") and row["item_type_name"] == "pressure mattress"
    )
    stay = tools.list_laundry_stays(item_id=loan["item_id"], status="at_laundry")["laundry_stays"][0]
    slots = tools.search_van_slots(first_day="2026-07-07", last_day="2026-07-07", min_points_left=1)["van_slots"]
    try:
        tools.book_delivery(loan_id=loan["loan_id"], van_slot_id=slots[0]["van_slot_id"])
        booked = True
    except tools.Error:
        booked = False
    if booked:
        return {"outcome": "done", "answers": {}, "reason": None, "message": "The mattress is booked for 2026-07-07."}
    return {
        "outcome": "refused",
        "answers": {},
        "reason": "five_laundry_days",
        "message": (
            f"The mattress cannot be delivered on 2026-07-07: it was dropped at the laundry on {stay['dropped_on']} and has to"
            f" stay 5 full laundry working days, which nobody may shorten, so it may go out from {stay['free_from']}."
        ),
    }

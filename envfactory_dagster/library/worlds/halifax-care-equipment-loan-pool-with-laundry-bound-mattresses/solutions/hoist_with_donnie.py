def solve(tools):
    loan = next(
        row
        for row in tools.list_loans(status="reserved")["loans"]
        if row["client_name"].startswith("Yvette") and row["item_type_name"] == "hoist"
    )
    slots = tools.search_van_slots(first_day="2026-10-07", last_day="2026-10-07", part_of_day="morning")["van_slots"]
    slot = next(row for row in slots if row["volunteer_name"] == "Donnie")
    try:
        tools.book_delivery(loan_id=loan["loan_id"], van_slot_id=slot["van_slot_id"])
        booked = True
    except tools.Error:
        booked = False
    if booked:
        return {"outcome": "done", "answers": {}, "reason": None, "message": "Donnie brings the hoist on 2026-10-07."}
    return {
        "outcome": "refused",
        "answers": {},
        "reason": "van_slot_and_hoist_clearance",
        "message": (
            "Donnie cannot bring the hoist on 2026-10-07: a hoist only goes in the van of a volunteer whose hoist clearance is"
            f" valid on that day, and his ran out on {slot['hoist_cleared_until']}."
        ),
    }

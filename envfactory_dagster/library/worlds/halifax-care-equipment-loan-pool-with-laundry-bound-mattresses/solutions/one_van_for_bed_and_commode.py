def solve(tools):
    me = tools.list_households()["households"][0]["contact_name"]
    loans = tools.list_loans(status="on_loan")["loans"]
    bed = min((loan for loan in loans if loan["item_type_name"] == "bed"), key=lambda loan: loan["out_on"])
    commode = next(loan for loan in loans if loan["item_type_name"] == "commode" and loan["client_name"] == me)
    points = {row["name"]: row["van_points"] for row in tools.list_item_types()["item_types"]}
    slots = tools.search_van_slots(
        first_day="2026-10-08", last_day="2026-10-09", min_points_left=points["bed"] + points["commode"]
    )["van_slots"]
    slot = slots[0]
    for loan in (bed, commode):
        tools.book_collection(loan_id=loan["loan_id"], van_slot_id=slot["van_slot_id"])
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"{slot['volunteer_name']} collects the old bed and your commode on {slot['day']} in the {slot['part_of_day']}.",
    }

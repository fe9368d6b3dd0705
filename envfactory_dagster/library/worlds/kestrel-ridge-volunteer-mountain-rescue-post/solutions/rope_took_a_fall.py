def solve(tools):
    out = tools.list_my_kit_loans(status="out")["kit_loans"]
    rope = next(loan for loan in out if loan["kit_type_name"] == "60 metre rope")
    radio = next(loan for loan in out if loan["kit_type_name"] == "Hand radio")
    sector = next(s for s in tools.list_sectors()["sectors"] if s["name"] == "Chimney Buttress")
    tools.report_fall(kit_item_id=rope["kit_item_id"], happened_on="2026-02-04", sector_id=sector["id"])
    returned = tools.return_kit_item(kit_loan_id=rope["id"])["kit_item"]
    tools.return_kit_item(kit_loan_id=radio["id"])
    kit_type = next(t for t in tools.list_kit_types()["kit_types"] if t["name"] == "60 metre rope")
    ready = [
        item
        for item in tools.search_kit_items(kit_type_id=kit_type["id"], status="ready")["kit_items"]
        if item["id"] != rope["kit_item_id"] and item["last_inspected_on"]
    ]
    chosen = max(ready, key=lambda item: item["last_inspected_on"])
    loan = tools.borrow_kit_item(kit_item_id=chosen["id"], due_day="2026-02-15")["kit_loan"]
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"The fall of {rope['label']} on 2026-02-04 on the Chimney Buttress is reported, and {rope['label']}"
        f" (now {returned['status']}) and the hand radio {radio['label']} are returned. You now have {loan['label']},"
        f" last inspected on {chosen['last_inspected_on']}, on loan until {loan['due_day']}.",
    }

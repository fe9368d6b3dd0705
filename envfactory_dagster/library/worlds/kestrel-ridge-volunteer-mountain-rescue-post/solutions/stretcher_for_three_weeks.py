def solve(tools):
    kit_type = next(t for t in tools.list_kit_types()["kit_types"] if t["name"] == "Folding stretcher")
    ready = [
        item
        for item in tools.search_kit_items(kit_type_id=kit_type["id"], status="ready")["kit_items"]
        if item["last_inspection_result"] == "passed"
    ]
    stretcher = max(ready, key=lambda item: item["last_inspected_on"])
    try:
        tools.borrow_kit_item(kit_item_id=stretcher["id"], due_day="2026-09-08")
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "kit_loan_limits",
            "message": f"I can't borrow a folding stretcher for you until 8 September: {stretcher['label']} is standing"
            " ready, but a kit item can be borrowed for at most 14 days. Nothing has been borrowed.",
        }
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"The folding stretcher {stretcher['label']} is on loan to you until 2026-09-08.",
    }

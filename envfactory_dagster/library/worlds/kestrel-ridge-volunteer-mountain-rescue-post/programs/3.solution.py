def solve(tools):
    passed, doubtful = [], []
    for kit_type in tools.list_kit_types()["kit_types"]:
        if kit_type["name"] not in ("60 metre rope", "30 metre rope"):
            continue
        for item in tools.search_kit_items(kit_type_id=kit_type["id"], status="ready")["kit_items"]:
            if item["last_inspected_on"] is None or item["last_inspected_on"] >= "2025-10-01":
                continue
            falls = tools.get_kit_item(kit_item_id=item["id"])["falls"]
            result = "passed" if falls == 0 else "doubtful"
            tools.report_inspection(kit_item_id=item["id"], happened_on="2026-02-05", result=result)
            (passed if falls == 0 else doubtful).append(item["label"])
    return {
        "outcome": "done",
        "answers": {"passed_labels": passed, "doubtful_labels": doubtful},
        "reason": None,
        "message": (
            f"I have reported your inspections of 5 February 2026: passed for {', '.join(passed) or 'none'},"
            f" doubtful for {', '.join(doubtful) or 'none'}."
        ),
    }

def solve(tools):
    request = next(
        row
        for row in tools.list_requests(status="waiting")["requests"]
        if row["client_name"].startswith("Yvette") and row["item_type_name"] == "pressure mattress"
    )
    place = tools.get_waiting_position(request_id=request["request_id"])
    ready = next(row for row in tools.list_item_types()["item_types"] if row["name"] == "pressure mattress")["free_items"]
    stays = tools.list_laundry_stays(status="at_laundry")["laundry_stays"]
    next_out = min(stay["free_from"] for stay in stays)
    earliest = None
    recalled = []
    tests = []
    for loan in tools.list_loans()["loans"]:
        if loan["status"] == "pencilled" and loan["request_id"] == request["request_id"]:
            earliest = next(stay["free_from"] for stay in stays if stay["item_id"] == loan["item_id"])
        if loan["status"] != "on_loan":
            continue
        item = tools.get_item(item_id=loan["item_id"])
        if any(recall["status"] == "open" and recall["outcome"] is None for recall in item["recalls"]):
            recalled.append(item["tag"])
        due = {}
        for entry in item["service_history"]:
            if entry["next_due_on"] is not None:
                due[entry["kind"]] = max(entry["next_due_on"], due.get(entry["kind"], ""))
        if any(day <= "2026-10-31" for day in due.values()):
            tests.append(item["tag"])
    return {
        "outcome": "done",
        "answers": {
            "earliest_day": earliest,
            "priority": request["priority"],
            "set_by": request["prescriber_name"],
            "people_ahead": place["requests_ahead"],
            "ready_now": ready,
            "next_out": next_out,
            "under_recall": recalled,
            "tests_coming_up": tests,
        },
        "reason": None,
        "message": (
            f"Yvette has priority {request['priority']}, set by {request['prescriber_name']}, with {place['requests_ahead']} people"
            f" ahead; {ready} mattresses are ready, the next leaves the laundry on {next_out}, and the one pencilled for her may"
            f" come from {earliest}. Under recall: {', '.join(recalled) or 'nothing'}; test due by the end of October:"
            f" {', '.join(tests) or 'nothing'}."
        ),
    }

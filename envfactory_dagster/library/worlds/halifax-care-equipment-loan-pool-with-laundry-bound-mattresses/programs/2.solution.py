def solve(tools):
    waiting = []
    for request in tools.list_requests(status="waiting")["requests"]:
        place = tools.get_waiting_position(request_id=request["request_id"])
        waiting.append((place["requests_ahead"], place["item_type_name"], request["requested_at"][:10]))
    ahead, longest, _ = max(waiting, key=lambda row: row[0])
    _, first, asked_on = min(waiting, key=lambda row: row[0])
    on_offer = None
    message = f"Most people, {ahead}, are ahead of you for the {longest}; nobody is for the {first}, asked for on {asked_on}."
    if ahead > 2:
        for item_type in tools.list_item_types()["item_types"]:
            if item_type["name"] == longest:
                on_offer = item_type["offered_items"]
        message += f" Items of the kind {longest} on offer today: {on_offer}."
    return {
        "outcome": "done",
        "answers": {
            "longest_line": longest,
            "people_ahead": ahead,
            "first_in_line": first,
            "asked_on": asked_on,
            "on_offer": on_offer,
        },
        "reason": None,
        "message": message,
    }

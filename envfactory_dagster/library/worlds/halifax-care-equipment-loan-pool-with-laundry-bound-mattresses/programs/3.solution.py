def solve(tools):
    parents = []
    for household in tools.list_households()["households"]:
        for client in household["clients"]:
            if client["name"] in ("Earl Boutilier", "Doreen Boutilier"):
                parents.append(client["client_id"])
    left = []
    for client_id in parents:
        for request in tools.list_requests(client_id=client_id, status="waiting")["requests"]:
            if request["priority"] == 4:
                tools.withdraw_request(request_id=request["request_id"])
            else:
                left.append(request)
    first = min(left, key=lambda request: request["requested_at"])["item_type_name"]
    return {
        "outcome": "done",
        "answers": {"still_waiting": len(left), "asked_first": first},
        "reason": None,
        "message": f"The requests with priority 4 are withdrawn. Your parents still wait for {len(left)} things, first asked for: {first}.",
    }

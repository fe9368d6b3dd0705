def solve(tools):
    gone = []
    for order in tools.list_my_orders()["cold_store_orders"]:
        if order["status"] == "on a run":
            day = order["session_day"]
        elif order["status"] == "awaiting consent":
            day = order["wish_day"]
        else:
            continue
        if "2026-07-01" <= day <= "2026-07-31":
            tools.cancel_order(cold_store_order_id=order["id"])
            gone.append(order["title"])
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"I have cancelled your orders for July: {', '.join(gone)}. The others stay as they are.",
    }

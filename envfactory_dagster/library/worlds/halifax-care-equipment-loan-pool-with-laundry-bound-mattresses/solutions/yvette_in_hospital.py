def solve(tools):
    home = tools.list_households()["households"][0]
    me = next(client for client in home["clients"] if client["name"] == home["contact_name"])
    yvette = next(client for client in home["clients"] if client["name"].startswith("Yvette"))
    booked = tools.list_deliveries(
        client_id=yvette["client_id"], kind="delivery", status="booked", last_day="2026-10-09"
    )["deliveries"]
    for delivery in booked:
        tools.cancel_delivery(delivery_id=delivery["delivery_id"], cancel_reason="hospital_admission")
    wheelchair = next(
        row
        for row in tools.list_requests(client_id=yvette["client_id"], status="waiting")["requests"]
        if row["item_type_name"] == "wheelchair"
    )
    tools.withdraw_request(request_id=wheelchair["request_id"])
    tools.create_request(client_id=me["client_id"], item_type_id=wheelchair["item_type_id"], min_width_cm=50)
    things = ", ".join(delivery["item_type_name"] for delivery in booked)
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": (
            f"Cancelled for Yvette because of the hospital admission: {things or 'nothing was booked'}. Her wheelchair request is"
            " withdrawn, and one at least 50 cm wide is asked for in your name."
        ),
    }

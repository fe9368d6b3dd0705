def solve(tools):
    today = "2026-09-17"
    boats = tools.list_my_boats()["boats"]
    boat_of = {}
    for lease in tools.list_my_berth_leases()["berth_leases"]:
        boat_of["berth_lease_id", lease["id"]] = lease["boat_id"]
    stays = tools.list_my_guest_stays()["guest_stays"]
    for stay in stays:
        boat_of["guest_stay_id", stay["id"]] = stay["boat_id"]
    for lift in tools.list_my_crane_lifts()["crane_lifts"]:
        boat_of["crane_lift_id", lift["id"]] = lift["boat_id"]
    for place in tools.list_my_shed_places()["shed_places"]:
        boat_of["shed_place_id", place["id"]] = place["boat_id"]

    cost = {boat["id"]: 0 for boat in boats}
    owed = {boat["id"]: [] for boat in boats}
    for invoice in tools.list_my_invoices()["invoices"]:
        kinds = ("berth_lease_id", "guest_stay_id", "crane_lift_id", "shed_place_id")
        boat_id = next(boat_of[kind, invoice[kind]] for kind in kinds if invoice[kind] is not None)
        if invoice["issued_on"] >= "2026-01-01":
            cost[boat_id] += invoice["amount_cents"]
        if invoice["left_cents"] > 0:
            owed[boat_id].append(invoice)
    total = sum(cost.values())
    cheapest = min(boats, key=lambda boat: cost[boat["id"]])

    paid = None
    if cost[cheapest["id"]] * 10 >= total:
        for stay in stays:
            if stay["boat_id"] == cheapest["id"] and stay["status"] == "booked" and stay["first_day"] > today:
                tools.cancel_guest_stay(guest_stay_id=stay["id"])
        paid = 0
        for invoice in owed[cheapest["id"]]:
            payment = tools.pay_invoice(invoice_id=invoice["id"], amount_cents=invoice["left_cents"])["payment"]
            paid += payment["amount_cents"]
        done = f"Her coming guest stay is cancelled, and {paid / 100:.2f} kroner were paid on her invoices."
    else:
        done = "As that is less than a tenth, nothing was cancelled or paid."
    return {
        "outcome": "done",
        "answers": {
            "cheapest_boat": cheapest["name"],
            "cheapest_boat_cost": cost[cheapest["id"]],
            "total_cost": total,
            "paid": paid,
        },
        "reason": None,
        "message": (
            f"This year the {cheapest['name']} cost the least, {cost[cheapest['id']] / 100:.2f} of"
            f" {total / 100:.2f} kroner for all boats. {done}"
        ),
    }

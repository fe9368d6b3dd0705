def solve(tools):
    owed = tools.list_account_lines(status="owed")["account_lines"]
    total = sum(line["amount_cents"] for line in owed)
    van = sum(line["amount_cents"] for line in owed if line["price_no"] == "P11")
    runs = {run["id"]: run for run in tools.list_van_runs()["van_runs"]}
    orders = {order["order_no"]: order for order in tools.list_my_orders()["cold_store_orders"]}
    film = None
    other = []
    for line in tools.list_account_lines(status="dropped")["account_lines"]:
        if line["price_no"] != "P11" or line["written_at"][:7] != "2026-05":
            continue
        order = orders[line["order_no"]]
        stations = [runs[i] for i in (order["asked_run_id"], order["run_id"]) if i is not None]
        if order["status"] != "cancelled" and any(run["status"] == "did not go" for run in stations):
            film = line["title"]
        elif line["title"] not in other:
            other.append(line["title"])
    parts = "; ".join(f"{line['what']}, {line['title'] or 'card'}: {line['amount_cents'] / 100:.2f}" for line in owed)
    if film is not None:
        word = f"A van fee was dropped in May because the van broke down, for {film}."
    else:
        word = f"No van fee was dropped because of the van: what was dropped in May was for {', '.join(other) or 'nothing'}, cancelled in time."
    return {
        "outcome": "done",
        "answers": {
            "line_amounts": [line["amount_cents"] for line in owed],
            "owed_in_all": total,
            "van_fees_owed": van,
            "dropped_for_the_van": film is not None,
            "film_of_it": film,
        },
        "reason": None,
        "message": f"You owe {total / 100:.2f} euro in all, {van / 100:.2f} of it van fees ({parts}). {word}",
    }

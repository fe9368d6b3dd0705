def solve(tools):
    film = next(i for i in tools.list_items(title_contains="Cheias do Mondego")["items"] if i["place"] == "Sebal")
    run = tools.list_van_runs(first_day="2026-06-26", last_day="2026-06-26")["van_runs"][0]
    free = sorted(run["free_sessions"], key=lambda s: s["starts"])
    session = free[0]
    result = tools.order_cans(
        item_id=film["id"], can_nos=list(range(1, film["cans"] + 1)), van_run_id=run["id"],
        session_day=session["session_day"], session_slot_id=session["slot_id"],
    )
    order = result["cold_store_order"]
    total = sum(line["amount_cents"] for line in result["account_lines"])
    which = "morning session" if session["starts"] < "12:00" else "afternoon session"
    return {
        "outcome": "done",
        "answers": {"session": which, "total_cost": total},
        "reason": None,
        "message": f"Cheias do Mondego comes with {order['code']}; you have the {which} on {order['session_day']}, and van and table cost {total / 100:.2f} euro together.",
    }

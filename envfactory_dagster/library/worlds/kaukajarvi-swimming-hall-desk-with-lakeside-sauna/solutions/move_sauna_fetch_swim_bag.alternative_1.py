def solve(tools):
    profile = tools.get_my_profile()
    elias = next(c for c in profile["children"] if c["name"].startswith("Elias"))["id"]
    turns = tools.list_sauna_turns(status="booked", first_day="2026-09-19", last_day="2026-09-19")["sauna_turns"]
    turn = next(t for t in turns if t["sauna"] == "small" and t["starts_time"] == "15:00")
    free = [
        f
        for f in tools.search_free_sauna_turns(first_day="2026-10-03", last_day="2026-10-04", sauna="small")["free_turns"]
        if "13:00" <= f["starts_time"] <= "17:00" and f["price_cents"] == turn["price_cents"]
    ]
    cost = None
    if turn["free_move_left"] and free:
        new = max(free, key=lambda f: (f["held_on"], f["starts_time"]))
        tools.move_sauna_turn(sauna_turn_id=turn["id"], sauna_slot_id=new["sauna_slot_id"], held_on=new["held_on"])
        sauna = f"Your sauna turn is moved free of charge to {new['weekday']} {new['held_on']} at {new['starts_time']}."
    else:
        if not turn["free_move_left"]:
            cost = turn["fee_if_cancelled_now_cents"]
        sauna = "Your sauna turn stays on 19 September at 15:00."
        if cost is not None:
            sauna += f" Giving it up now would cost {cost / 100:.2f} euros."
    items = [
        i
        for i in tools.search_found_items(text="swim bag", first_day="2026-09-12", last_day="2026-09-12")["found_items"]
        if i["status"] == "held" and "blue" in i["description"].lower() and "elias" in i["description"].lower()
    ]
    if items:
        item = tools.claim_found_item(found_item_id=items[0]["id"], customer_id=elias)["found_item"]
        bag = f" Elias's blue swim bag is recorded as fetched today, for {(item['fee_cents'] or 0) / 100:.2f} euros."
    else:
        bag = " Elias's blue swim bag has not been handed in."
    return {
        "outcome": "done",
        "answers": {"cost_of_giving_up_the_turn": cost},
        "reason": None,
        "message": sauna + bag,
    }

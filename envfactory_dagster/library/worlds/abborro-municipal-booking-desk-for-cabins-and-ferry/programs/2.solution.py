def solve(tools):
    open_stays = []
    for stay in tools.list_stays()["stays"]:
        if stay["status"] not in ("held", "deposit_paid", "paid"):
            continue
        bill = tools.get_stay(stay_id=stay["stay_id"])
        if bill["balance_cents"] > 0:
            open_stays.append({"stay_id": stay["stay_id"], "cabin": stay["cabin_name"],
                               "left": bill["balance_cents"], "due": bill["balance_due_on"]})
    open_stays.sort(key=lambda stay: stay["due"])
    first, others = open_stays[0], open_stays[1:]
    paid = first["left"] <= 13000
    if paid:
        tools.pay_stay_by_card(stay_id=first["stay_id"], amount_cents=first["left"])
        tools.confirm_stay_payment(stay_id=first["stay_id"])
    rest = sum(stay["left"] for stay in others)
    due = others[0]["due"] if others else None
    what = "and it is paid now" if paid else "which is more than you have, so nothing was paid"
    return {
        "outcome": "done",
        "answers": {"cabin": first["cabin"], "was_left": first["left"], "others_left": rest, "others_due_on": due},
        "reason": None,
        "message": f"{first['cabin']} has to be paid first: {first['left'] / 100:.2f} euros were left, {what}."
                   f" The other stays ahead still cost {rest / 100:.2f} euros, first due on {due}.",
    }

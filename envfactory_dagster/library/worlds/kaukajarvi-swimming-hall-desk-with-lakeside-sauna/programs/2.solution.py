def solve(tools):
    kinds = {
        "private sauna turns": "sauna_turn",
        "swimming courses": "course",
        "lane hours": "lane_hour",
        "lockers": "locker",
    }
    cost = {}
    for kind, category in kinds.items():
        total = 0
        for p in tools.list_payments(category=category, first_day="2025-09-01")["payments"]:
            if p["method"] not in ("bank_card", "cash") or p["price_code"] == "locker_key_deposit":
                continue
            total += p["amount_cents"] if p["kind"] == "payment" else -p["amount_cents"]
        cost[kind] = total
    dearest = max(cost, key=cost.get)
    days, back = None, None
    message = f"Since 1 September 2025 the {dearest} have cost you most, {cost[dearest] / 100:.2f} euros."
    if dearest == "private sauna turns":
        free = [
            turn
            for turn in tools.list_sauna_turns(status="booked")["sauna_turns"]
            if turn["fee_if_cancelled_now_cents"] == 0
        ]
        free.sort(key=lambda turn: (turn["held_on"], turn["starts_time"]))
        days = sorted({turn["held_on"] for turn in free})
        back = sum(turn["price_cents"] for turn in free)
        which = ", ".join(f"{turn['held_on']} at {turn['starts_time']}" for turn in free)
        message += f" You could give up these without losing anything today: {which}; {back / 100:.2f} euros would come back. Nothing has been cancelled."
    return {
        "outcome": "done",
        "answers": {
            "dearest_extra": dearest,
            "amount_spent": cost[dearest],
            "days_free_to_cancel": days,
            "amount_coming_back": back,
        },
        "reason": None,
        "message": message,
    }

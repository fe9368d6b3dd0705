def solve(tools):
    paid = sum(claim["amount_cents"] for claim in tools.list_claims(status="settled")["claims"])
    ahead = [turn for turn in tools.list_sauna_turns(status="booked")["sauna_turns"]
             if turn["starts_at"][:10] >= "2026-07-07"]
    cost = sum(turn["price_cents"] for turn in ahead)
    covered = paid >= cost
    if covered:
        message = f"Yes, your claims cover the sauna turns ahead, and {(paid - cost) / 100:.2f} euros are left over."
    else:
        last = max((turn for turn in ahead if turn["starts_at"].startswith("2026-08")), key=lambda turn: turn["starts_at"])
        tools.cancel_sauna_turn(sauna_turn_id=last["sauna_turn_id"])
        message = (f"No, your claims were {(cost - paid) / 100:.2f} euros short of the sauna turns ahead, so I cancelled"
                   f" the one at {last['sauna_name']} on {last['starts_at'][:10]}.")
    return {
        "outcome": "done",
        "answers": {"covered": "yes" if covered else "no", "short_by": None if covered else cost - paid,
                    "left_over": paid - cost if covered else None},
        "reason": None,
        "message": message,
    }

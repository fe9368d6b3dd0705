def solve(tools):
    me = tools.get_own_membership()["member_no"]
    fees = tools.getLedger(memberNo=me, kind="room_fee", first_day="2025-05-20")
    refunds = tools.getLedger(memberNo=me, kind="room_refund", first_day="2025-05-20")
    net = -sum(e["amount_cents"] for e in fees["entries"]) - sum(e["amount_cents"] for e in refunds["entries"])
    member = tools.getMember(memberNo=me)
    balance = fees["balance_cents"]
    left = member["half_days_left"]
    return {
        "outcome": "done",
        "answers": {"room_fees": net, "balance": balance, "half_days_left": left},
        "reason": None,
        "message": (
            f"Since 20 May you were charged {net / 100:.2f} EUR in room fees after refunds, your balance is "
            f"{balance / 100:.2f} EUR, and with {member['counted_hives']} hives you can still book {left} half-day(s)."
        ),
    }

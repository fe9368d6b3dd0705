def solve(tools):
    paid = 0
    brought = []
    for reservation in tools.list_my_reservations()["reservations"]:
        if reservation["status"] not in ("active", "used"):
            continue
        if reservation["upkeep_paid_until_year"] >= 2027:
            continue
        paid += tools.pay_upkeep(reservation_id=reservation["id"], until_year=2027)["paid_cents"]
        brought.append(str(reservation["bearing_degrees"]))
    return {
        "outcome": "done",
        "answers": {"total_paid": paid},
        "reason": None,
        "message": (
            f"The upkeep is now paid to the end of 2027 for the plots at bearings {', '.join(brought)} degrees;"
            f" that came to {paid / 100:.2f} euros in all."
        ),
    }

def solve(tools):
    paid = {}
    for household in tools.list_households()["households"]:
        for street in ("17 Wentworth Drive", "22 Larch Street"):
            if household["address"].startswith(street):
                paid[street] = tools.list_payments(household_id=household["household_id"])["payments"]
    totals = {street: sum(payment["amount_cents"] for payment in paid[street]) for street in paid}
    home = max(totals, key=lambda street: totals[street])
    difference = max(totals.values()) - min(totals.values())
    latest = None
    count = None
    if home == "22 Larch Street":
        latest = max(payment["paid_at"] for payment in paid[home])[:10]
        more = f"The latest payment there was on {latest}."
    else:
        count = len(paid[home])
        more = f"There have been {count} payments there."
    return {
        "outcome": "done",
        "answers": {"home": home, "difference": difference, "latest_payment": latest, "payments": count},
        "reason": None,
        "message": f"${difference / 100:.2f} more has been paid for {home}. {more}",
    }

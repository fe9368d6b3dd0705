def solve(tools):
    me = tools.get_choir()["contact_name"]
    other = "Siobh\u00e1n Kiely"
    collector = {one["id"]: one["collected_by"] for one in tools.list_loans(status="returned")["loans"]}
    open_charges = {me: [], other: []}
    for charge in tools.list_charges(status="unpaid")["charges"]:
        if charge["kind"] in ("late", "lost") and collector.get(charge["loan_id"]) in open_charges:
            open_charges[collector[charge["loan_id"]]].append(charge)
    share = {name: sum(one["amount_cents"] for one in found) for name, found in open_charges.items()}
    cleared = None
    for name in (me, other):
        if cleared is None and share[name] <= 2000:
            cleared = name
            for charge in open_charges[name]:
                tools.pay_charge(charge_id=charge["id"])
    told = f"I have cleared the share of {cleared}." if cleared else "Neither share is cleared."
    return {
        "outcome": "done",
        "answers": {"mine": share[me], "siobhans": share[other], "cleared": cleared},
        "reason": None,
        "message": f"For your own sets \u20ac{share[me] / 100:.2f} was to be paid and for Siobh\u00e1n's \u20ac{share[other] / 100:.2f}. {told}",
    }

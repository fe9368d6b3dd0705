def solve(tools):
    unpaid = tools.list_my_replacement_charges(status="unpaid")["replacement_charges"]
    old = [c for c in unpaid if c["reported_at"][:10] < "2026-10-01"]
    paid = [tools.pay_replacement_charge(replacement_charge_id=c["id"])["replacement_charge"] for c in old]
    total = sum(c["amount_cents"] for c in paid)
    left = sum(c["amount_cents"] for c in unpaid) - total

    wanted = []
    for name in ("Tin Lantern", "The Glass Canal"):
        titles = tools.search_titles(name=name)["titles"]
        match = next(t for t in titles if t["name"] == name)
        wanted.append(tools.get_title(title_id=match["id"]))
    chosen = min(wanted, key=lambda t: t["waiting_holds"])
    hold = tools.place_hold(title_id=chosen["id"])["hold"]
    waiting = " and ".join(f"{t['waiting_holds']} for {t['name']}" for t in wanted)
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": (
            f"Your {len(paid)} charges for pieces lost before 1 October 2026, {total / 100:.2f} euros together, are paid; "
            f"{left / 100:.2f} euros for newer ones stay unpaid. {hold['title_name']} is reserved for you, as the "
            f"holds that were waiting are {waiting}."
        ),
    }

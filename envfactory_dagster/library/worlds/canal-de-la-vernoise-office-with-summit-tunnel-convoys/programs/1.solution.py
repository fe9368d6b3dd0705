def solve(tools):
    total = {}
    towed = {}
    for name in ("Belle-de-Mai", "Sauterelle"):
        boat = [b for b in tools.list_boats(name=name)["boats"] if b["name"] == name][0]
        rows = tools.list_passages(boat_id=boat["id"], first_day="2026-06-01", last_day="2026-09-30")["passages"]
        total[name] = sum(p["due_cents"] - p["refund_cents"] for p in rows)
        towed[name] = sum(1 for p in rows if p["letter"] == "T" and p["status"] == "passed")
    dearer = max(total, key=lambda n: total[n])
    cheaper = min(total, key=lambda n: total[n])
    hand_over = (total[dearer] - total[cheaper]) // 2
    times = towed["Sauterelle"] if dearer == "Sauterelle" else None
    who = "I owe my brother" if dearer == "Sauterelle" else "my brother owes me"
    more = "" if times is None else " She went through behind the tug %d times." % times
    return {
        "outcome": "done",
        "answers": {"who_owes": who, "amount_owed": hand_over, "sauterelle_towed": times},
        "reason": None,
        "message": "%s cost more, so %s %.2f euro.%s" % (dearer, "you owe your brother" if dearer == "Sauterelle" else "your brother owes you", hand_over / 100, more),
    }

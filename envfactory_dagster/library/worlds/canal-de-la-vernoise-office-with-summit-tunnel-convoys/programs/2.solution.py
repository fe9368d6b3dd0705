def solve(tools):
    cost = {}
    times = {}
    for name in ("Kiekendief", "Waterjuffer", "IJsvogel"):
        boat = [b for b in tools.list_boats(name=name)["boats"] if b["name"] == name][0]
        licences = tools.list_licences(boat_id=boat["id"])["licences"]
        spent = sum(l["price_cents"] for l in licences if l["bought_at"][:4] == "2026")
        passed = 0
        for p in tools.list_passages(boat_id=boat["id"], first_day="2026-01-01", last_day="2026-10-19")["passages"]:
            spent += p["due_cents"] - p["refund_cents"]
            if p["status"] == "passed":
                passed += 1
        times[name] = passed
        cost[name] = spent / passed if passed else float("inf")
    worst = max(cost, key=lambda n: cost[n])
    return {
        "outcome": "done",
        "answers": {"boat_to_sell": worst, "cost_per_passage": round(cost[worst]), "times_passed": times[worst]},
        "reason": None,
        "message": "%s should go: she passed %d times, and each time cost you %.2f euro." % (worst, times[worst], cost[worst] / 100),
    }

def solve(tools):
    total = 0
    names = []
    for boat in tools.list_boats()["boats"]:
        if boat["propulsion"] not in ("electric", "hybrid"):
            continue
        covered = [l for l in tools.list_licences(boat_id=boat["id"])["licences"]
                   if l["class_code"] == boat["class_code"] and l["valid_from"] <= "2026-10-12" and l["valid_to"] >= "2026-10-18"]
        if not covered:
            licence = tools.buy_licence(boat_id=boat["id"], duration="7 days", valid_from="2026-10-12")["licence"]
            total += licence["price_cents"]
            names.append(boat["name"])
    return {
        "outcome": "done",
        "answers": {"total_price": total},
        "reason": None,
        "message": "Licences from 12 to 18 October bought for %s; together %.2f euro." % (" and ".join(names), total / 100),
    }

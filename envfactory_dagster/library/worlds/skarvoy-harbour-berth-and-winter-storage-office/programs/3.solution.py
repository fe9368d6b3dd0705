def solve(tools):
    first, last = "2026-05-15", "2026-05-18"
    boats = tools.list_my_boats()["boats"]
    leases = tools.list_my_berth_leases(status="active")["berth_leases"]
    berths = {}
    total = 0
    for boat in boats:
        if any(x["boat_id"] == boat["id"] and x["first_day"] <= first and x["last_day"] >= last for x in leases):
            continue
        free = tools.search_berths(
            kind="guest",
            min_length_cm=boat["length_cm"] + 50,
            min_width_cm=boat["beam_cm"] + 40,
            min_depth_cm=boat["draught_cm"] + 30,
            free_first_day=first,
            free_last_day=last,
        )["berths"]
        cheapest = min(free, key=lambda berth: berth["night_price_cents"])
        stay = tools.book_guest_stay(
            boat_id=boat["id"], berth_id=cheapest["id"], first_day=first, last_day=last
        )["guest_stay"]
        berths[boat["name"]] = stay["berth_code"]
        total += stay["total_cents"]
    booked = ", ".join(f"{code} for the {name}" for name, code in berths.items())
    return {
        "outcome": "done",
        "answers": {
            "berth_havdronning": berths.get("Havdronning"),
            "berth_lomvi": berths.get("Lomvi"),
            "berth_ternen": berths.get("Ternen"),
            "total": total,
        },
        "reason": None,
        "message": f"From 15 to 18 May 2026 these guest berths are booked: {booked}. Together they cost {total / 100:.2f} kroner.",
    }

def solve(tools):
    year = 2026
    held = [r for r in tools.list_my_reservations()["reservations"] if r["status"] in ("active", "used")]
    held.sort(key=lambda r: (r["bearing_degrees"], r["distance_m"]))
    trees = {
        t["plot_id"]: t
        for t in tools.list_my_memorial_trees()["memorial_trees"]
        if t["status"] in ("ordered", "planted")
    }
    behind = [r["bearing_degrees"] for r in held if r["upkeep_paid_until_year"] < year]
    without = [r["bearing_degrees"] for r in held if r["plot_id"] not in trees]
    with_tree = [(r["bearing_degrees"], trees[r["plot_id"]]) for r in held if r["plot_id"] in trees]

    def listed(items):
        return ", ".join(str(item) for item in items) or "none"

    paid_text = listed(f"{r['bearing_degrees']} until {r['upkeep_paid_until_year']}" for r in held)
    tree_text = listed(f"{bearing} {t['tree_species_name']} ({t['status']})" for bearing, t in with_tree)
    return {
        "outcome": "done",
        "answers": {
            "upkeep_not_paid_this_year": behind,
            "paid_until": [f"{r['bearing_degrees']}: {r['upkeep_paid_until_year']}" for r in held],
            "plots_with_tree": [f"{bearing}: {t['tree_species_name']}" for bearing, t in with_tree],
            "plots_without_tree": without,
        },
        "reason": None,
        "message": (
            f"Of the plots you hold, by bearing in degrees, the upkeep for {year} is not paid for: {listed(behind)}; "
            f"they are paid as follows: {paid_text}. A tree is ordered or planted on: {tree_text}; "
            f"there is none on: {listed(without)}."
        ),
    }

def solve(tools):
    days = tools.list_collection_days()["tree_collection_days"]
    target = next(d for d in days if d["held_on"] == "2026-11-07" and d["settlement"] == "Podlipnik")
    moved = []
    for row in tools.list_my_tree_reservations()["tree_reservations"]:
        if row["status"] not in ("awaiting deposit", "held"):
            continue
        day = next(d for d in days if d["tree_collection_day_id"] == row["tree_collection_day_id"])
        if day["settlement"] == "Mahovnica" and day["held_on"] == "2026-11-15":
            tools.change_collection_day(
                tree_reservation_id=row["tree_reservation_id"],
                tree_collection_day_id=target["tree_collection_day_id"],
            )
            moved.append(row["name"])
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"{', '.join(moved)} will be handed out in Podlipnik on 7 November.",
    }

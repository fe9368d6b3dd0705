def solve(tools):
    days = tools.list_collection_days()["tree_collection_days"]
    day = next(d for d in days if d["settlement"] == "Mahovnica" and d["held_on"] == "2026-11-15")
    mine = tools.list_my_tree_reservations(status="held")["tree_reservations"]
    for name in ("Zlata parmena", "Carjevič"):
        row = next(r for r in mine if r["name"] == name)
        tools.change_collection_day(
            tree_reservation_id=row["tree_reservation_id"], tree_collection_day_id=day["tree_collection_day_id"]
        )
    return {
        "outcome": "done",
        "answers": {"from_time": day["from_time"], "to_time": day["to_time"]},
        "reason": None,
        "message": (
            f"Zlata parmena and Carjevič will be handed out in {day['settlement']} on {day['held_on']}, "
            f"from {day['from_time']} to {day['to_time']}; the Tepka stays where it is."
        ),
    }

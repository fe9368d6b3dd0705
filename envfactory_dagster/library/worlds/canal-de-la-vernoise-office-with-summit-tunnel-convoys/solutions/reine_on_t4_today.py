def solve(tools):
    boat = next(b for b in tools.list_boats(name="Reine des Écluses")["boats"] if b["name"] == "Reine des Écluses")
    convoys = tools.search_convoys(first_day="2026-10-20", last_day="2026-10-20", letter="T", direction="south", status="planned")["convoys"]
    t4 = next(c for c in convoys if c["convoy"] == "T4")
    try:
        passage = tools.book_passage(boat_id=boat["id"], convoy_id=t4["id"])["passage"]
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "convoy_capacity",
            "message": "The Reine des Écluses cannot go on T4 today: a T convoy takes at most 6 units, %d are on the list, and a boat of 20 m or more counts as 2." % t4["units"],
        }
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": "The Reine des Écluses is on the list of %s today." % passage["convoy"],
    }

def solve(tools):
    boat = next(b for b in tools.list_boats(name="Kiekendief")["boats"] if b["name"] == "Kiekendief")
    convoys = tools.search_convoys(first_day="2026-10-20", last_day="2026-10-20", letter="T", direction="north", status="planned")["convoys"]
    t3 = next(c for c in convoys if c["convoy"] == "T3")
    try:
        passage = tools.book_passage(boat_id=boat["id"], convoy_id=t3["id"])["passage"]
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "valid_licence_of_class",
            "message": "Kiekendief cannot be put on T3 today: a boat is put on a convoy's list only with a licence of the class of its length, here A, that is valid on the day of the passage.",
        }
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": "Kiekendief is on the list of %s today." % passage["convoy"],
    }

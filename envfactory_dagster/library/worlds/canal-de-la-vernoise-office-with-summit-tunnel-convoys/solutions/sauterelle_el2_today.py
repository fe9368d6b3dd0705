def solve(tools):
    boat = next(b for b in tools.list_boats(name="Sauterelle")["boats"] if b["name"] == "Sauterelle")
    convoys = tools.search_convoys(first_day="2026-10-01", last_day="2026-10-01", letter="EL", direction="south")["convoys"]
    convoy = next(c for c in convoys if c["convoy"] == "EL2")
    try:
        passage = tools.book_passage(boat_id=boat["id"], convoy_id=convoy["id"])["passage"]
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "entry_before_list_closes",
            "message": "Sauterelle cannot go with EL2 today: from 28 September to 8 November an EL convoy has to be booked by 17:00 the day before.",
        }
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": "Sauterelle is booked on %s today." % passage["convoy"],
    }

def solve(tools):
    boat = next(b for b in tools.list_boats(name="Zwaluw")["boats"] if b["name"] == "Zwaluw")
    put_off = next(p for p in tools.list_passages(boat_id=boat["id"], status="put_off", first_day="2026-10-20", last_day="2026-10-20")["passages"]
                   if p["convoy"] == "T1")
    convoys = tools.search_convoys(first_day="2026-10-20", last_day="2026-10-20", letter="T", direction="north", status="planned")["convoys"]
    t3 = next(c for c in convoys if c["convoy"] == "T3")
    passage = tools.book_passage(boat_id=boat["id"], convoy_id=t3["id"], tonnes=180, put_off_from_passage_id=put_off["id"])["passage"]
    return {
        "outcome": "done",
        "answers": {"still_to_pay": passage["due_cents"], "place": passage["place"]},
        "reason": None,
        "message": "Zwaluw is on the list of T3 today at place %d; still to pay: %.2f euro." % (passage["place"], passage["due_cents"] / 100),
    }

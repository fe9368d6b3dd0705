def solve(tools):
    boat = next(b for b in tools.list_boats(name="Belle-de-Mai")["boats"] if b["name"] == "Belle-de-Mai")
    mine = tools.list_passages(boat_id=boat["id"], first_day="2026-10-01", last_day="2026-10-01")["passages"]
    electric = next(p for p in mine if p["letter"] == "EL" and p["direction"] == "north" and p["status"] in ("listed", "controlled"))
    read = tools.record_battery_reading(passage_id=electric["id"], battery_percent=57)["passage"]
    convoys = tools.search_convoys(first_day="2026-10-01", last_day="2026-10-01", letter="T", direction="north")["convoys"]
    t3 = next(c for c in convoys if c["convoy"] == "T3")
    tow = tools.book_passage(boat_id=boat["id"], convoy_id=t3["id"], credit_from_passage_id=electric["id"])["passage"]
    deposit = {"returned": "given back", "held": "still held", "kept": "kept by the office"}[read["deposit_status"]]
    return {
        "outcome": "done",
        "answers": {"still_to_pay": tow["due_cents"], "deposit": deposit},
        "reason": None,
        "message": "57 %% is written down and too low, so Belle-de-Mai is on the list of T3 at 14:00; %.2f euro are still to pay, and your deposit of %.2f euro is %s."
                   % (tow["due_cents"] / 100, read["deposit_cents"] / 100, deposit),
    }

def solve(tools):
    limit = 400
    weights = {b["id"]: b["weight_kg"] for b in tools.list_bells()["bells"]}
    mine = tools.list_my_session_places(status="taken", first_day="2026-06-08", last_day="2026-06-30")["session_places"]
    moved, given_up = [], []
    for place in mine:
        if weights[place["bell_id"]] <= limit:
            continue
        free = tools.get_ringing_session(ringing_session_id=place["ringing_session_id"])["free_bells"]
        lightest = min(free, key=lambda b: (b["weight_kg"], b["number"]), default=None)
        if lightest is not None and lightest["weight_kg"] <= limit:
            tools.move_session_place(session_place_id=place["id"], bell_id=lightest["id"])
            moved.append(f"{place['starts_at'][:10]} from bell {place['bell_number']} to bell {lightest['number']} "
                         f"({lightest['weight_kg']} kg)")
        else:
            tools.give_up_session_place(session_place_id=place["id"])
            given_up.append(f"{place['starts_at'][:10]} (bell {place['bell_number']})")
    message = (f"Moved: {'; '.join(moved) or 'none'}. Given up, as no bell of 400 kg or less was free: "
               f"{'; '.join(given_up) or 'none'}.")
    return {"outcome": "done", "answers": {}, "reason": None, "message": message}

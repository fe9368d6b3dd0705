def solve(tools):
    places = tools.list_my_shift_places(first_day="2026-02-07", last_day="2026-02-07")["shift_places"]
    mine = next(
        place
        for place in places
        if place["starts_at"][11:16] == "07:00" and place["status"] in ("taken", "offered")
    )
    start = mine["starts_at"][:16].replace("T", " ")
    try:
        tools.give_up_shift_place(shift_place_id=mine["id"])
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "shift_give_up_notice",
            "message": f"I can't give up your place on the shift that starts at {start}: a shift place can be given up"
            " only until 72 hours before the shift starts, and after that it can only be offered for swap."
            " Nothing has been changed, so you still hold the place.",
        }
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"Your place on the shift that starts at {start} is given up.",
    }

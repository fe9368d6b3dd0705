def solve(tools):
    day = "2026-09-17"
    place = next(iter(tools.list_my_session_places(
        status="taken", kind="practice", first_day=day, last_day=day)["session_places"]))
    start = place["starts_at"][11:16]
    try:
        tools.give_up_session_place(session_place_id=place["id"])
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "give_up_place_notice",
            "message": (
                f"I could not give up your place on bell {place['bell_number']} at tonight's practice: a ringer can give up a "
                f"place only until 24 hours before the session starts, and this one starts today at {start}. You still hold it."
            ),
        }
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"Your place on bell {place['bell_number']} at tonight's practice at {start} is given up.",
    }

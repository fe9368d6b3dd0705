def solve(tools):
    places = tools.list_my_session_places(
        status="taken", first_day="2026-06-13", last_day="2026-06-28"
    )["session_places"]
    given_up = 0
    for place in places:
        tools.give_up_session_place(session_place_id=place["id"])
        given_up += 1
    return {
        "outcome": "done",
        "answers": {"places_given_up": given_up},
        "reason": None,
        "message": f"I gave up all {given_up} places you had from 13 to 28 June; your other places stay as they were.",
    }

def solve(tools):
    places = tools.list_my_exam_places(status="pencilled")["exam_places"]
    place = next(p for p in places if p["kind"] == "theory" and p["calendar_day"] == "2025-11-13")
    tools.confirm_exam_place(exam_place_id=place["id"])
    days = {d["calendar_day"]: d for d in tools.list_first_aid_days()["first_aid_days"]}
    aid = days["2025-11-08"] if days["2025-11-08"]["places_left"] > 0 else days["2025-12-06"]
    tools.book_first_aid_day(first_aid_day_id=aid["id"])
    times = tools.search_simulator_times(day="2025-11-03")["simulator_times"]
    later = sorted(t["starts_at"] for t in times if t["starts_at"][11:16] > "15:00")
    start = later[1]
    tools.book_simulator_session(starts_at=start)
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"Your theory exam on 13 November is confirmed, you're signed up for first aid on {aid['calendar_day']},"
        f" and the simulator is yours on 3 November at {start[11:16]}.",
    }

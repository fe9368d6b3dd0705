from datetime import datetime


def minutes(start, end):
    return int((datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds() // 60)


def solve(tools):
    callout_minutes = 0
    for callout in tools.search_callouts(first_day="2025-12-01")["callouts"]:
        for a in tools.get_callout(callout_id=callout["id"])["callout_assignments"]:
            if a["is_mine"] and a["sent_out_at"] and a["back_at"]:
                callout_minutes += minutes(a["sent_out_at"], a["back_at"])
    exercise_minutes = 0
    for place in tools.list_my_exercise_places(first_day="2025-12-01")["exercise_places"]:
        if place["status"] in ("passed", "failed"):
            e = tools.get_exercise(exercise_id=place["exercise_id"])
            exercise_minutes += minutes(e["starts_at"], e["ends_at"])
    if callout_minutes > exercise_minutes:
        for place in tools.list_my_shift_places(
            status="taken", first_day="2026-02-13", last_day="2026-02-13"
        )["shift_places"]:
            if place["kind"] == "night":
                tools.offer_shift_place(shift_place_id=place["id"])
        longer = "callouts"
        done = "I have offered your night shift on Friday 13 February 2026 for swap."
    else:
        for place in tools.list_my_exercise_places(
            status="taken", first_day="2026-02-28", last_day="2026-02-28"
        )["exercise_places"]:
            if place["exercise_name"] == "First aid refresher":
                tools.give_up_exercise_place(exercise_place_id=place["id"])
        longer = "exercises"
        done = "I have given up your place on the first aid refresher on Saturday 28 February 2026."
    return {
        "outcome": "done",
        "answers": {
            "callout_time": callout_minutes,
            "exercise_time": exercise_minutes,
            "longer": longer,
        },
        "reason": None,
        "message": (
            f"Since 1 December 2025 you were out on callouts for {callout_minutes} minutes and at exercises for"
            f" {exercise_minutes} minutes, so the {longer} took longer. {done}"
        ),
    }

def solve(tools):
    answers = {}
    for skill in tools.list_skills()["skills"]:
        key = skill["name"].lower().replace(" ", "_")
        for ending in ("_last_day", "_next_exercise_day", "_place_free"):
            answers[key + ending] = None
    parts = []
    expiring = tools.list_my_qualifications(first_last_day="2026-02-05", last_last_day="2026-04-30")["qualifications"]
    for qualification in expiring:
        key = qualification["skill_name"].lower().replace(" ", "_")
        answers[key + "_last_day"] = qualification["last_day"]
        part = f"{qualification['skill_name']} ends on {qualification['last_day']}"
        planned = tools.search_exercises(
            skill_id=qualification["skill_id"], status="planned", first_day="2026-02-05"
        )["exercises"]
        if planned:
            exercise = tools.get_exercise(exercise_id=planned[0]["id"])
            free = exercise["free_places"]
            answers[key + "_next_exercise_day"] = exercise["starts_at"][:10]
            answers[key + "_place_free"] = free > 0
            part += f" (next exercise: {exercise['name']} on {exercise['starts_at'][:10]}, "
            part += f"{free} of {exercise['most_places']} places free" if free else "no place free"
            part += ", you hold a place on it)" if exercise["is_mine"] else ")"
        else:
            part += " (no exercise to renew it is planned)"
        parts.append(part)
    held = tools.get_my_profile()["exercise_places_to_come"]
    answers["exercise_places_held"] = held
    return {
        "outcome": "done",
        "answers": answers,
        "reason": None,
        "message": "By 30 April these qualifications of yours run out: " + "; ".join(parts) + "."
        f" You hold places on {held} exercises still to come.",
    }

from datetime import date


def solve(tools):
    avalanche = next(
        place
        for place in tools.list_my_exercise_places(
            status="taken", first_day="2026-02-22", last_day="2026-02-22"
        )["exercise_places"]
        if "avalanche" in place["exercise_name"].lower()
    )
    tools.give_up_exercise_place(exercise_place_id=avalanche["id"])
    message = f"Your place on {avalanche['exercise_name']} on {avalanche['starts_at'][:10]} is given up."

    skill = next(s for s in tools.list_skills()["skills"] if s["name"].lower() == "stretcher lowering")
    exercises = [
        tools.get_exercise(exercise_id=exercise["id"])
        for exercise in tools.search_exercises(
            skill_id=skill["id"], status="planned", first_day="2026-03-01", last_day="2026-03-31"
        )["exercises"]
    ]
    mine = [exercise for exercise in exercises if exercise["is_mine"]]
    free = [exercise for exercise in exercises if exercise["free_places"] > 0]
    if mine:
        message += f" You are down for {mine[0]['name']} on {mine[0]['starts_at'][:10]} already, so I left it at that."
    elif free:
        chosen = min(
            free,
            key=lambda exercise: (
                date.fromisoformat(exercise["starts_at"][:10]).weekday() != 5,
                exercise["starts_at"],
            ),
        )
        place = tools.take_exercise_place(exercise_id=chosen["id"])["exercise_place"]
        message += (
            f" You now have a place on {place['exercise_name']} on {place['starts_at'][:10]},"
            f" which starts at {place['starts_at'][11:16]}."
        )
    else:
        message += " No stretcher lowering exercise in March has a place free."
    return {"outcome": "done", "answers": {}, "reason": None, "message": message}

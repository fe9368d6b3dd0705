def solve(tools):
    booked = tools.list_driving_lessons(status="booked", first_day="2025-10-29", last_day="2025-10-29")["driving_lessons"]
    lesson = next(l for l in booked if l["starts_at"][11:16] == "08:00")
    fee = tools.get_lesson_change_fee(driving_lesson_id=lesson["id"])
    if fee["move_fee_cents"] > 0 or fee["would_forfeit"]:
        cost = fee["move_fee_cents"] or None
        return {
            "outcome": "done",
            "answers": {"fee": cost},
            "reason": None,
            "message": f"Moving the lesson isn't free, so I left it alone; the fee would be {(cost or 0) // 100} CZK.",
        }
    cars = {car["id"]: car for car in tools.list_cars()["cars"]}
    times = tools.search_lesson_times(
        instructor_id=lesson["instructor_id"], transmission=cars[lesson["car_id"]]["transmission"],
        first_day="2025-11-03", last_day="2025-11-07",
    )["lesson_times"]
    free = [t for t in times if t["starts_at"][:10] != "2025-11-06" and t["starts_at"][11:16] >= "12:00"]
    chosen = next(t for t in free if t["starts_at"][:10] == "2025-11-04")
    moved = tools.move_driving_lesson(
        driving_lesson_id=lesson["id"], starts_at=chosen["starts_at"], car_id=chosen["cars"][0]["id"]
    )["driving_lesson"]
    return {
        "outcome": "done",
        "answers": {"fee": None},
        "reason": None,
        "message": f"Moving costs nothing, so your lesson is now on {moved['starts_at'][:10]} at {moved['starts_at'][11:16]}.",
    }

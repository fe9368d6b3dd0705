def solve(tools):
    offers = tools.list_lesson_offers(status="open")["lesson_offers"]
    offer = next(o for o in offers if o["starts_at"] == "2025-11-14T10:00:00")
    packages = tools.list_course_packages(status="active")["course_packages"]
    cars = {car["id"]: car for car in tools.list_cars()["cars"]}
    fitting = [p for p in packages if p["transmission"] == cars[offer["car_id"]]["transmission"]]
    package = next(p for p in fitting if p["kind"] == "five_top_up_lessons")
    try:
        tools.accept_lesson_offer(lesson_offer_id=offer["id"], course_package_id=package["id"])
        taken = "I've taken the lesson on Friday 14 November at 10:00."
    except tools.Error as error:
        taken = f"The lesson on Friday 14 November could not be taken: {error}."
    booked = tools.list_driving_lessons(status="booked")["driving_lessons"]
    later = next(l for l in booked if l["starts_at"] == "2025-11-19T13:00:00")
    fee = tools.get_lesson_change_fee(driving_lesson_id=later["id"])
    if fee["cancel_fee_cents"] == 0 and not fee["would_forfeit"]:
        tools.cancel_driving_lesson(driving_lesson_id=later["id"])
        dropped = "Your lesson on 19 November is cancelled free of charge."
    else:
        dropped = "Your lesson on 19 November stays, since cancelling it isn't free."
    ahead = len(tools.list_driving_lessons(status="booked")["driving_lessons"])
    return {
        "outcome": "done",
        "answers": {"lessons_booked_ahead": ahead},
        "reason": None,
        "message": f"{taken} {dropped} You now have {ahead} lessons booked ahead.",
    }

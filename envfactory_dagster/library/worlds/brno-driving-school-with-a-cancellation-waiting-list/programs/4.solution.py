def solve(tools):
    packages = tools.list_course_packages(status="active")["course_packages"]
    course = [p for p in packages if p["kind"] in ("full_course", "student_course")][0]
    lessons = tools.list_driving_lessons()["driving_lessons"]
    confirmed = [l for l in lessons if l["confirmed_at"] is not None]
    booked = [l for l in lessons if l["status"] == "booked"]
    in_time = [l for l in booked if l["starts_at"][:10] <= course["expires_on"]]
    hours = 2 * (len(confirmed) + len(in_time))
    start = None
    if hours < 28:
        tools.request_course_extension(course_package_id=course["id"])
        message = f"It comes to {hours} hours only, so I asked for the three-month extension."
    else:
        last = max(booked, key=lambda l: l["starts_at"])
        day = last["starts_at"][:10]
        message = f"It comes to {hours} hours, but dropping the last lesson is not free, so I left everything as it is."
        fee = tools.get_lesson_change_fee(driving_lesson_id=last["id"])
        if fee["cancel_fee_cents"] == 0 and not fee["would_forfeit"]:
            ondrej = [i for i in tools.list_instructors()["instructors"] if i["name"] == "Ondřej Vrba"][0]
            package = [p for p in packages if p["id"] == last["course_package_id"]][0]
            tools.cancel_driving_lesson(driving_lesson_id=last["id"])
            times = tools.search_lesson_times(
                instructor_id=ondrej["id"], transmission=package["transmission"], first_day=day, last_day=day
            )["lesson_times"]
            first = min((t for t in times if t["after_sunset"]), key=lambda t: t["starts_at"])
            tools.book_driving_lesson(
                course_package_id=package["id"], instructor_id=ondrej["id"], car_id=first["cars"][0]["id"],
                kind="dark", starts_at=first["starts_at"],
            )
            start = first["starts_at"][11:16]
            message = f"It comes to {hours} hours. I dropped your last lesson on {day} and booked a dark one at {start} that day."
    return {
        "outcome": "done",
        "answers": {"hours_by_course_end": hours, "dark_lesson_start": start},
        "reason": None,
        "message": message,
    }

def solve(tools):
    best = None
    for instructor in tools.list_instructors()["instructors"]:
        times = tools.search_lesson_times(
            instructor_id=instructor["id"], transmission="automatic", first_day="2025-11-18", last_day="2025-11-21"
        )["lesson_times"]
        fitting = sorted((t for t in times if t["starts_at"][11:16] == "17:00"), key=lambda t: t["starts_at"])
        if fitting and (best is None or len(fitting) > len(best[1])):
            best = (instructor, fitting)
    instructor, fitting = best
    packages = tools.list_course_packages(status="active")["course_packages"]
    pack = [p for p in packages if p["kind"] == "five_top_up_lessons"][0]
    lesson = tools.book_driving_lesson(
        course_package_id=pack["id"], instructor_id=instructor["id"], car_id=fitting[0]["cars"][0]["id"],
        kind="ordinary", starts_at=fitting[0]["starts_at"],
    )["driving_lesson"]
    day = lesson["starts_at"][:10]
    return {
        "outcome": "done",
        "answers": {"instructor": instructor["name"], "lesson_day": day},
        "reason": None,
        "message": f"{instructor['name']} can do 17:00 on the most days, so your lesson is with {instructor['name']} on {day}.",
    }

def solve(tools):
    day = "2025-11-06"
    mine = tools.list_driving_lessons(status="booked", first_day=day, last_day=day)["driving_lessons"]
    packages = tools.list_course_packages(status="active")["course_packages"]
    package = next(p for p in packages if p["id"] == mine[0]["course_package_id"])
    for instructor in tools.list_instructors()["instructors"]:
        times = tools.search_lesson_times(
            instructor_id=instructor["id"], transmission=package["transmission"], first_day=day, last_day=day
        )["lesson_times"]
        free = [t for t in times if t["starts_at"][11:16] == "15:00"]
        if not free:
            continue
        try:
            tools.book_driving_lesson(
                course_package_id=package["id"], instructor_id=instructor["id"], car_id=free[0]["cars"][0]["id"],
                kind="ordinary", starts_at=free[0]["starts_at"],
            )
        except tools.Error as error:
            return {
                "outcome": "refused",
                "answers": {},
                "reason": "lessons_per_week",
                "message": "I can't book a second lesson on Thursday 6 November: a pupil never has 2 on the same day except a motorway"
                f" trip directly after an ordinary lesson. The school's answer was: {error}.",
            }
        return {
            "outcome": "done",
            "answers": {},
            "reason": None,
            "message": f"Your second lesson on 6 November is at 15:00 with {instructor['name']}.",
        }

def solve(tools):
    instructors = [i for i in tools.list_instructors()["instructors"] if i["name"] in ("Ondřej Vrba", "Radim Šustr")]
    packages = tools.list_course_packages(status="active")["course_packages"]
    package = next(p for p in packages if p["kind"] in ("full_course", "student_course"))
    fitting = []
    for instructor in instructors:
        times = tools.search_lesson_times(
            instructor_id=instructor["id"], transmission=package["transmission"], first_day="2025-11-10", last_day="2025-11-16"
        )["lesson_times"]
        for time in times:
            if time["starts_at"][:10] != "2025-11-13" and time["starts_at"][11:16] >= "17:00" and time["after_sunset"]:
                fitting.append((time["starts_at"], instructor["name"], instructor, time))
    start, name, instructor, time = min(fitting, key=lambda one: one[:2])
    tools.book_driving_lesson(
        course_package_id=package["id"], instructor_id=instructor["id"], car_id=time["cars"][0]["id"], kind="dark", starts_at=start
    )
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"Your dark lesson is booked with {name} on {start[:10]} at {start[11:16]}, which is after sunset.",
    }

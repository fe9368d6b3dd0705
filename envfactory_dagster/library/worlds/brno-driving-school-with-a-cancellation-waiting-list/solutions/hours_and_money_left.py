def solve(tools):
    lessons = tools.list_driving_lessons(status="driven")["driving_lessons"]
    confirmed = [l for l in lessons if l["confirmed_at"] is not None]
    hours = 2 * len(confirmed)
    dark = max(0, 4 - 2 * sum(1 for l in confirmed if l["kind"] == "dark"))
    motorway = max(0, 2 - 2 * sum(1 for l in confirmed if l["kind"] == "motorway"))
    packages = tools.list_course_packages(status="active")["course_packages"]
    course = next(p for p in packages if p["kind"] in ("full_course", "student_course"))
    charges = tools.list_charges()["charges"]
    left = sum(
        c["outstanding_cents"] for c in charges
        if c["course_package_id"] == course["id"] and c["kind"] in ("first_instalment", "rest_of_course")
    )
    enough = hours >= 16
    return {
        "outcome": "done",
        "answers": {
            "confirmed_hours": hours, "dark_hours_left": dark, "motorway_hours_left": motorway,
            "enough_for_motorway": enough, "course_price_left": left, "course_runs_until": course["expires_on"],
        },
        "reason": None,
        "message": f"{hours} of your 28 hours are confirmed; {dark} in the dark and {motorway} on the motorway are still missing, and you"
        f" {'may go on the motorway now' if enough else 'may not go on the motorway yet'}. You still have to pay {left // 100} CZK of the course price,"
        f" and the course runs until {course['expires_on']}.",
    }

def solve(tools):
    using = ("booked", "driven", "no_show", "forfeited")
    packages = tools.list_course_packages(status="active")["course_packages"]
    lessons = tools.list_driving_lessons()["driving_lessons"]
    left = 0
    for package in packages:
        mine = [l for l in lessons if l["course_package_id"] == package["id"] and l["status"] in using]
        left += package["hours_included"] - 2 * len(mine) + sum(l["returned_hours"] for l in mine)
    covered = [l for l in lessons if l["status"] in ("booked", "driven")]
    dark = 2 * sum(1 for l in covered if l["kind"] == "dark")
    motorway = 2 * sum(1 for l in covered if l["kind"] == "motorway")
    needed = max(0, 4 - dark) + max(0, 2 - motorway)
    course = [p for p in packages if p["kind"] in ("full_course", "student_course")][0]
    bought, total = 0, 0
    while left < needed:
        total += tools.buy_top_up_lessons(course_package_id=course["id"], lessons=1)["amount_cents"]
        bought += 1
        left += 2
    if bought:
        message = f"You were short, so I bought {bought} single top-up lesson(s) for {total // 100} CZK altogether."
    else:
        message = "Your hours still cover the dark hours and the motorway trip, so I bought 0 lessons."
    return {
        "outcome": "done",
        "answers": {"lessons_bought": bought, "total_price": total if bought else None},
        "reason": None,
        "message": message,
    }

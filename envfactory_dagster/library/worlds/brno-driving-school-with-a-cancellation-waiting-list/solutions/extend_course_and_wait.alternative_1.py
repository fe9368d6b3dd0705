import datetime


def solve(tools):
    packages = tools.list_course_packages(status="active")["course_packages"]
    course = next(p for p in packages if p["kind"] in ("full_course", "student_course") and p["expires_on"] == "2025-11-28")
    charge = tools.request_course_extension(course_package_id=course["id"])["charge"]
    end, added = None, None
    message = "The extension costs more than 1,500 CZK, so the course is not extended."
    if charge["amount_cents"] <= 150000:
        tools.pay_charge(charge_id=charge["id"])
        end = tools.extend_course(course_package_id=course["id"])["course_package"]["expires_on"]
        old = datetime.date.fromisoformat(course["expires_on"])
        count = old.month - 1 + 3
        plain = datetime.date(old.year + count // 12, count % 12 + 1, old.day)
        days = tools.list_calendar_days(first_day=course["expires_on"], last_day=end)["calendar_days"]
        closed = sum(1 for d in days if d["is_closed"] and d["day"] > course["expires_on"])
        added = closed > 0 and datetime.date.fromisoformat(end) == plain + datetime.timedelta(days=closed)
        message = f"Your course now runs until {end}; the Christmas closure is {'' if added else 'not '}added on."
    tools.join_waiting_list(kind="dark", from_on="2025-11-18", until_on="2025-11-22")
    return {
        "outcome": "done",
        "answers": {"new_end_date": end, "closure_added": added},
        "reason": None,
        "message": message + " You are on the waiting list for a dark lesson in the week of 17 November, Monday left out.",
    }

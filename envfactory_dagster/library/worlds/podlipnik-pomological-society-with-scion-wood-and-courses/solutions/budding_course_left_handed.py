import math


def solve(tools):
    me = tools.get_my_membership()
    courses = tools.list_courses(first_day="2026-08-22")["courses"]
    course = next(c for c in courses if c["held_on"] == "2026-08-22")
    made = tools.register_for_course(
        course_id=course["course_id"], participant_name=me["full_name"], fee_kind="member", knife="left-handed"
    )["course_registration"]
    half = math.floor(made["fee_cents"] / 300 * 2) / 2
    points = min(half, 30 - me["points_used_this_year"], me["points_balance"])
    after = tools.set_points_against_course(
        course_registration_id=made["course_registration_id"], points=points
    )["course_registration"]
    left = after["left_to_pay_cents"]
    return {
        "outcome": "done",
        "answers": {"rest_in_money": left},
        "reason": None,
        "message": (
            f"You are down for {after['title']} on 22 August with a left-handed knife; {points:g} points are set "
            f"against the fee, and {left / 100:.2f} EUR remain to be paid, without the knife."
        ),
    }

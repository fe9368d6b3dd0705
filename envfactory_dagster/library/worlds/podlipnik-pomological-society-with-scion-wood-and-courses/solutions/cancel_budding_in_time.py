from datetime import date


def solve(tools):
    today = date.fromisoformat(tools.get_my_membership()["today"])
    held = tools.list_my_course_registrations(status="held")["course_registrations"]
    row = next(r for r in held if r["held_on"] == "2026-08-22")
    terms = tools.get_course(course_id=row["course_id"])["course_terms"]
    days_left = (date.fromisoformat(row["held_on"]) - today).days
    back = row["fee_cents"] - round(row["points_set"] * 150) - 500
    known = any("up to 7 days before" in term["says"] for term in terms)
    if not known or days_left < 7 or back <= 0:
        return {
            "outcome": "done",
            "answers": {"money_back": None},
            "reason": None,
            "message": "No money would come back any more, so you keep your place at the summer budding.",
        }
    done = tools.cancel_course_registration(course_registration_id=row["course_registration_id"])["course_registration"]
    return {
        "outcome": "done",
        "answers": {"money_back": done["refund_cents"]},
        "reason": None,
        "message": (
            f"Your place at {done['title']} on 22 August is cancelled; of the {done['fee_cents'] / 100:.2f} EUR you paid, "
            f"{done['refund_cents'] / 100:.2f} EUR come back."
        ),
    }

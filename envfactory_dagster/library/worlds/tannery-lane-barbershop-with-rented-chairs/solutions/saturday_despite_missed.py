from datetime import date


def solve(tools):
    missed = tools.get_my_profile()["missed_past_90_days"]
    days_ahead = (date(2026, 10, 10) - date(2026, 10, 5)).days
    assert missed >= 2 and days_ahead > 1  # which settles it
    return {
        "outcome": "refused",
        "answers": {},
        "reason": "missed_appointments_block",
        "message": (
            "I cannot book a haircut with Jo Tanner for Saturday 10 October: a customer who has missed 2 or more "
            "appointments in the past 90 days may not book a new appointment more than 1 day ahead. "
            f"You have missed {missed}, and Saturday is {days_ahead} days ahead."
        ),
    }

def solve(tools):
    held = tools.get_my_profile()["open_appointments"]
    assert held + 2 > 2  # with both new ones there would be more than 2, which settles it
    return {
        "outcome": "refused",
        "answers": {},
        "reason": "max_open_appointments",
        "message": (
            "Both cannot be booked on top of Thursday's haircut, so I booked nothing: a customer may hold at most "
            "2 appointments at a time that are booked or confirmed and still to come, "
            f"and you already hold {held}."
        ),
    }

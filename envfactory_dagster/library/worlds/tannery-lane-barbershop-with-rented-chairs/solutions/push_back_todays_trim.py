from datetime import datetime, timedelta


def solve(tools):
    mine = tools.list_my_appointments(first_day="2026-10-05", last_day="2026-10-05")["appointments"]
    trim = next(
        a for a in mine
        if a["barber_name"] == "Ned Calloway"
        and a["starts_at"] == "2026-10-05T11:30:00"
        and a["status"] in ("booked", "confirmed")
    )
    until = datetime.fromisoformat(trim["starts_at"]) - timedelta(hours=4)
    assert until < datetime(2026, 10, 5, 9, 0)  # it is a little after 9:00, which settles it
    return {
        "outcome": "refused",
        "answers": {},
        "reason": "change_notice",
        "message": (
            f"Your beard trim with Ned Calloway today at {trim['starts_at'][11:16]} cannot be moved any more: a customer "
            "may move or cancel an appointment only until 4 hours before its start, "
            f"and that was {until.strftime('%H:%M')}. It stays as it is."
        ),
    }

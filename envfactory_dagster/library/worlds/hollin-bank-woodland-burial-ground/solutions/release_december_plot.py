from datetime import date


def solve(tools):
    today = date(2027, 2, 8)
    active = tools.list_my_reservations(status="active")["reservations"]
    held = next(r for r in active if r["bearing_degrees"] == 233 and r["reserved_at"].startswith("2026-12-02"))
    days = (today - date.fromisoformat(held["reserved_at"][:10])).days
    refused = days < 90
    refund = None
    if not refused:
        try:
            refund = tools.release_reservation(reservation_id=held["id"])["reservation"]["refund_cents"]
        except tools.Error:
            refused = True
    if refused:
        return {
            "outcome": "refused",
            "answers": {"refund": None},
            "reason": "release_upkeep_paid",
            "message": (
                f"Your reservation of the plot at bearing 233 degrees can't be released today, so nothing is paid back: a "
                f"reservation can be released only if at least 90 days have passed since it was made, and only {days} have."
            ),
        }
    return {
        "outcome": "done",
        "answers": {"refund": refund},
        "reason": None,
        "message": f"Your reservation of the plot at bearing 233 degrees is released; you get {refund / 100:.2f} euros back.",
    }

def solve(tools):
    today = "2026-09-17"
    notices = tools.list_my_absence_notices()["absence_notices"]
    details = []
    for notice in notices:
        if notice["status"] != "withdrawn":
            details.append(tools.get_absence_notice(absence_notice_id=notice["id"]))
    taken = {}
    empty = 0
    for detail in details:
        nights = sum(stay["nights"] for stay in detail["guest_stays"] if stay["status"] != "cancelled")
        taken[detail["id"]] = nights
        empty += detail["nights"] - nights
    best = max(details, key=lambda detail: taken[detail["id"]])
    withdrawn = []
    for detail in details:
        if detail["first_day"] > today and taken[detail["id"]] == 0:
            tools.withdraw_absence_notice(absence_notice_id=detail["id"])
            withdrawn.append(detail["first_day"])
    return {
        "outcome": "done",
        "answers": {
            "best_first_day": best["first_day"],
            "best_guest_nights": taken[best["id"]],
            "empty_nights": empty,
        },
        "reason": None,
        "message": (
            f"Guests took the most nights, {taken[best['id']]}, in the absence from {best['first_day']};"
            f" over all absences {empty} nights have no guest."
            f" Withdrawn as nobody is booked: the absence from {', '.join(withdrawn) or 'none'}."
        ),
    }

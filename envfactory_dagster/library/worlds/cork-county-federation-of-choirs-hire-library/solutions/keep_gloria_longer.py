import datetime


def solve(tools):
    loans = tools.list_loans(status="out")["loans"]
    gloria = next(one for one in loans if one["title"] == "Gloria" and "Vivaldi" in one["composer"])
    last_day = (datetime.date.fromisoformat(gloria["due_on"]) + datetime.timedelta(days=21)).isoformat()
    taken = tools.check_availability(edition_id=gloria["edition_id"], first_day=gloria["due_on"], last_day=last_day)["taken"]
    others = sorted(
        one["first_day"] for one in taken
        if one["kind"] == "booking" and not one["own"] and one["first_day"] >= gloria["due_on"]
    )
    if others:
        return {
            "outcome": "done",
            "answers": {"new_due": None, "wanted_by_others_from": others[0]},
            "reason": None,
            "message": f"Another choir wants that edition from {others[0]}, so I have left your loan as it is.",
        }
    loan = tools.extend_loan(loan_id=gloria["id"])["loan"]
    return {
        "outcome": "done",
        "answers": {"new_due": loan["due_on"], "wanted_by_others_from": None},
        "reason": None,
        "message": f"No other choir wants that edition in those weeks; the Gloria is extended and now due on {loan['due_on']}.",
    }

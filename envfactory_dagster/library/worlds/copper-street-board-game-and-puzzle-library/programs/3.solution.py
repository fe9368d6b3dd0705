def solve(tools):
    renewed, left = [], []
    for loan in tools.list_my_loans(status="out")["loans"]:
        others = tools.get_loan(loan_id=loan["id"])["others_waiting"]
        copies = tools.get_title(title_id=loan["title_id"])["copies"]
        on_shelf = any(
            c["status"] == "lendable" and not c["is_out"] and not c["is_kept_for_hold"]
            for c in copies
            if c["id"] != loan["copy_id"]
        )
        if others == 0 and not on_shelf:
            renewed.append(tools.renew_loan(loan_id=loan["id"])["loan"])
        else:
            left.append(loan)
    latest = max(loan["due_day"] for loan in renewed)
    first_due = min(loan["due_day"] for loan in left)
    evenings = tools.search_club_evenings(first_day="2026-04-13", last_day=first_due, status="planned")["club_evenings"]
    last_evening = max(evening["starts_at"][:10] for evening in evenings)
    renewed_names = [loan["title_name"] for loan in renewed]
    left_names = [loan["title_name"] for loan in left]
    return {
        "outcome": "done",
        "answers": {
            "renewed": renewed_names,
            "latest_new_due_day": latest,
            "to_bring_back": left_names,
            "last_evening_for_the_first": last_evening,
        },
        "reason": None,
        "message": f"I renewed {' and '.join(renewed_names)}, the last of them until {latest}."
        f" You have to bring back {' and '.join(left_names)}, the first of them on the club evening of {last_evening} at the latest.",
    }

def solve(tools):
    due = tools.list_my_loans(status="out", last_due_day="2026-04-30")["loans"]
    due.sort(key=lambda l: (l["due_day"], l["title_name"]))
    loans = [tools.get_loan(loan_id=l["id"]) for l in due]
    unpaid = tools.list_my_replacement_charges(status="unpaid")["replacement_charges"]
    owed = sum(c["amount_cents"] for c in unpaid)
    lines = [
        f"{l['title_name']} is due on {l['due_day']} (renewed {l['renewals']} times, "
        + ("another member is waiting for it)" if l["others_waiting"] > 0 else "nobody else is waiting for it)")
        for l in loans
    ]
    listed = "; ".join(lines) if lines else "None of your loans is due before 1 May 2026"
    return {
        "outcome": "done",
        "answers": {
            "loans": [l["title_name"] for l in loans],
            "due_days": [l["due_day"] for l in loans],
            "times_renewed": [l["renewals"] for l in loans],
            "others_waiting": [l["others_waiting"] > 0 for l in loans],
            "total_owed": owed,
        },
        "reason": None,
        "message": f"{listed}. Altogether you owe {owed / 100:.2f} euros for missing pieces.",
    }

def solve(tools):
    titles = []
    late = 0
    for loan in tools.list_loans(status="out")["loans"]:
        if loan["due_on"] <= "2026-02-15":
            result = tools.return_loan(loan_id=loan["id"], copies_lost=0)
            titles.append(loan["title"])
            late += sum(one["amount_cents"] for one in result["charges"] if one["kind"] == "late")
    return {
        "outcome": "done",
        "answers": {"late_charge": late},
        "reason": None,
        "message": f"Entered as back: {', '.join(titles)}. For lateness you are charged \u20ac{late / 100:.2f}.",
    }

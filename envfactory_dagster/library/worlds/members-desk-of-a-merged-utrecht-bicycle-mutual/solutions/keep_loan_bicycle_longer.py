import datetime


def solve(tools):
    due = "2026-06-18"
    kogas = {b["id"] for b in tools.list_bicycles(make="Koga")["bicycles"]}
    loan = None
    for candidate in tools.list_loans(open_only=True)["loans"]:
        claim = tools.get_claim(claim_id=candidate["claim_id"])["claim"]
        if claim["bicycle_id"] in kogas and candidate["due_on"] == due:
            loan = candidate
    days = (datetime.date(2026, 6, 26) - datetime.date.fromisoformat(loan["due_on"])).days
    try:
        tools.extend_loan(loan_id=loan["id"], extra_days=days)
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "loan_extended_once_by_14_days",
            "message": (
                "That cannot be done: a loan of 14 days can be extended only 1 time, by at most 14 days, and yours has"
                f" been extended already; the loan bicycle has to be back on {loan['due_on']}."
            ),
        }
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": "The loan is extended to 26 June 2026 at 4 euros a day.",
    }

def solve(tools):
    loans = tools.list_loans(status="out")["loans"]
    loan = next(one for one in loans if one["title"] == "Cantique de Jean Racine")
    try:
        tools.extend_loan(loan_id=loan["id"])
    except tools.Error as error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "one_extension",
            "message": f"The Cantique de Jean Racine cannot be extended again, since a loan may be extended only once: {error}.",
        }
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": "The Cantique de Jean Racine is extended to 5 December.",
    }

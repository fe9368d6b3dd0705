def solve(tools):
    rule = (
        "a member can borrow a copy only while they have fewer loans out than 3 plus 1 for each hosting turn they "
        "carried out in the last 60 days"
    )
    titles = tools.search_titles(name="Moorland Railways")["titles"]
    found = next(t for t in titles if t["name"] == "Moorland Railways")
    profile = tools.get_my_profile()
    refusal = {
        "outcome": "refused",
        "answers": {},
        "reason": "loan_allowance",
        "message": (
            f"I cannot borrow Moorland Railways for you: {rule}. You have {profile['loans_out']} loans out and are "
            f"allowed {profile['loan_allowance']}."
        ),
    }
    if profile["loans_out"] >= profile["loan_allowance"]:
        return refusal
    title = tools.get_title(title_id=found["id"])
    copy = next(
        c for c in title["copies"] if c["status"] == "lendable" and not c["is_out"] and not c["is_kept_for_hold"]
    )
    try:
        loan = tools.borrow_copy(copy_id=copy["id"])["loan"]
    except tools.Error:
        return refusal
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"Copy {loan['label']} of Moorland Railways is borrowed for you, due on {loan['due_day']}.",
    }

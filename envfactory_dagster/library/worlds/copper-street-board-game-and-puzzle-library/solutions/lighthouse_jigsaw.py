def solve(tools):
    rule = (
        "a member with 2 or more jigsaw loans returned with a piece missing can borrow or place a hold on board games "
        "only, not on jigsaws"
    )
    titles = tools.search_titles(name="Lighthouse at Dawn", kind="jigsaw")["titles"]
    found = next(t for t in titles if t["name"] == "Lighthouse at Dawn" and t["piece_count"] == 1000)
    profile = tools.get_my_profile()
    short = profile["jigsaws_returned_short"]
    refusal = {
        "outcome": "refused",
        "answers": {},
        "reason": "jigsaw_short_returns",
        "message": (
            f"I cannot borrow Lighthouse at Dawn with 1000 pieces for you: {rule}. {short} of your jigsaws came back "
            "with a piece missing, and a puzzle mat does not change that."
        ),
    }
    if short >= 2:
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
        "message": f"Copy {loan['label']} of Lighthouse at Dawn with 1000 pieces is borrowed for you, due on {loan['due_day']}.",
    }

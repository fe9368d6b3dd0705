from datetime import date, timedelta


def solve(tools):
    birthday = date(2026, 5, 5)
    mine = tools.list_my_loans(status="out")["loans"]
    barons = next(l for l in mine if l["title_name"] == "Harbour Barons")
    loan = tools.get_loan(loan_id=barons["id"])
    if loan["others_waiting"] > 0:
        titles = tools.search_titles(name="The Salt Road")["titles"]
        salt_road = next(t for t in titles if t["name"] == "The Salt Road")
        hold = tools.place_hold(title_id=salt_road["id"])["hold"]
        message = (
            f"Harbour Barons is not renewed, since another member is waiting for it; it stays due on {loan['due_day']}. "
            f"{hold['title_name']} is reserved for you instead; the hold is {hold['status']}."
        )
    elif date.fromisoformat(loan["due_day"]) + timedelta(days=14) > birthday:
        renewed = tools.renew_loan(loan_id=loan["id"])["loan"]
        message = f"Nobody else is waiting for Harbour Barons, so it is renewed and now due on {renewed['due_day']}."
    else:
        message = (
            f"Harbour Barons is not renewed: it is due on {loan['due_day']}, and 14 more days would not get you past "
            "5 May 2026. Nobody else is waiting for it, so nothing is reserved."
        )
    return {"outcome": "done", "answers": {}, "reason": None, "message": message}

def solve(tools):
    account = tools.get_my_account()
    club = next(c for c in account["clubs"] if c["name"] == "Het Raam")
    quotes = tools.list_my_programming_requests(club_id=club["id"], status="quoted")["programming_requests"]

    def total(quote):
        return quote["quote_hall_cents"] + quote["quote_loan_fee_cents"] + quote["quote_35mm_cents"]

    quotes = sorted(quotes, key=total)
    cheaper, dearer = quotes[0], quotes[1]
    quota = tools.get_club_quota(club_id=club["id"], month=cheaper["quoted_start_at"][:7])
    told = []
    if cheaper["quote_valid_until"][:10] >= account["today"] and quota["month_used"] + quota["month_reserved"] <= quota["month_limit"]:
        accepted = tools.accept_quote(programming_request_id=cheaper["id"])
        told.append(f"The quote for {cheaper['title_name']} on {cheaper['quoted_start_at'][:10]} is accepted at {accepted['total_cents'] / 100:.2f} euros")
    else:
        told.append(f"The cheaper quote, for {cheaper['title_name']}, cannot be accepted")
    tools.refuse_quote(programming_request_id=dearer["id"])
    told.append(f"the one for {dearer['title_name']} is turned down")
    loans = tools.list_my_loan_agreements(club_id=club["id"])["loan_agreements"]
    loan = next(l for l in loans if l["title_name"] == "De stille dijk" and l["status"] == "signed")
    if loan["extension_deadline_at"][:10] >= account["today"]:
        tools.ask_loan_extension(loan_agreement_id=loan["id"], extension_kind="later_return", extension_leave_by="2026-04-17")
        told.append("the lender of De stille dijk has been asked whether the print may stay until 17 April")
    else:
        told.append("it is too late to ask the lender of De stille dijk")
    return {"outcome": "done", "answers": {}, "reason": None, "message": "; ".join(told) + "."}

def solve(tools):
    sector = next(s for s in tools.list_sectors()["sectors"] if s["name"] == "Gannet Gully")
    callout = next(
        c
        for c in tools.search_callouts(sector_id=sector["id"], last_day="2026-06-06")["callouts"]
        if (c["stood_down_at"] or "").startswith("2026-06-06")
    )
    try:
        tools.submit_expense_claim(callout_id=callout["id"], amount_cents=3180, description="Petrol")
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "expense_claim_window",
            "message": "I can't put in your claim: a claim can be submitted only within 60 days after the callout"
            f" ended, and callout {callout['code']} ended on {callout['stood_down_at'][:10]}, which is longer ago.",
        }
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"Your claim of 31.80 euros for petrol on callout {callout['code']} is submitted.",
    }

def solve(tools):
    shows = tools.search_screenings(first_day="2026-03-26", last_day="2026-03-26", title_contains="Winterslaap op Dok Noord")["screenings"]
    show = next(s for s in shows if s["is_preview"])
    tools.get_screening(screening_id=show["id"])
    seats = [{"tariff": "member"}] * 2 + [{"tariff": "standard"}] * 3
    try:
        tools.buy_tickets(screening_id=show["id"], seats=seats, payment_method="bancontact")
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "ticket_limits",
            "message": "During the first 48 hours of sale of a preview it is at most 4 tickets in all, so five seats for Winterslaap op Dok Noord cannot be bought, and I have bought none.",
        }
    return {"outcome": "done", "answers": {}, "reason": None, "message": "The five tickets are bought."}

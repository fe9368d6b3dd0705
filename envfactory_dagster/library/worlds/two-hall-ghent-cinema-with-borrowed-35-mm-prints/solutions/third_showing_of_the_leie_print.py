def solve(tools):
    loans = tools.list_my_loan_agreements()["loan_agreements"]
    loan = next(l for l in loans if l["title_name"] == "Het zout in de Leie" and l["status"] == "signed")
    shows = tools.search_screenings(title_contains="Het zout in de Leie")["screenings"]
    hall = next(s["hall_id"] for s in shows if s["hall_name"] == "Zaal 1")
    try:
        tools.plan_club_showing(loan_agreement_id=loan["id"], hall_id=hall, starts_at="2025-11-11T14:00:00")
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "print_can_be_run",
            "message": f"A 35 mm showing can only be booked while the loan agreement has an unreserved showing left, and all {loan['showings_allowed']} showings of Het zout in de Leie are used or reserved, so the matinee on 11 November cannot be put on.",
        }
    return {"outcome": "done", "answers": {}, "reason": None, "message": "The matinee on 11 November at 14:00 is planned."}

def solve(tools):
    left, approved, minutes = [], [], None
    building = next(
        b for b in tools.list_buildings(page_size=100)["buildings"] if b["address"] == "Rua dos Lagares 14"
    )
    waiting, cursor = [], None
    while True:
        more = {"page_cursor": cursor} if cursor else {}
        page = tools.list_quotations(
            building_id=building["building_id"], quotation_status="issued", page_size=100, **more
        )
        waiting += page["quotations"]
        cursor = page["next_page_cursor"]
        if not cursor:
            break
    for quotation in waiting:
        if quotation["total_cents"] > 150000 and quotation["safety_level"] != "C1":
            left.append(quotation["title"])
            continue
        made = tools.approve_quotation(quotation_id=quotation["quotation_id"], total_cents=quotation["total_cents"])
        approved.append(quotation["title"])
        minutes = made["minutes_due_date"] or minutes
    tail = f"Minutes have to follow by {minutes}." if minutes else "No minutes have to follow."
    return {
        "outcome": "done",
        "answers": {"left": left, "minutes_by": minutes},
        "reason": None,
        "message": f"Approved: {'; '.join(approved)}. Left for others: {'; '.join(left)}. {tail}",
    }

def solve(tools):
    readers = tools.find_readers(surname="Joyce", forename="Fergal", date_of_birth="1958-11-09")["readers"]
    ticket = readers[0]["ticket_no"]
    pieces = []
    for year in (1848, 1849):
        hits = tools.search_catalogue(text="Martin estate rent book", year_from=year, year_to=year)["hits"]
        pieces.append(next(hit["piece_ref"] for hit in hits if str(year) in hit["title"]))
    answers = [tools.check_piece_access(ticket_no=ticket, piece_ref=piece, on_date="2026-04-13")["answer"] for piece in pieces]
    if any(answer not in ("allowed", "allowed_supervised") for answer in answers):
        return {"outcome": "done", "answers": {}, "reason": None, "message": "The rent books are not both open to him, so nothing was sent in."}
    found = tools.get_bursary_round()
    asked = min(24000, found["fund_cents"] - found["committed_cents"])
    tools.submit_bursary_application(
        ticket_no=ticket, round=found["round"], home_kind="offshore_island", road_km_one_way=47, visit_from="2026-04-13", visit_to="2026-04-16",
        room_days=3, piece_refs=pieces, asked_cents=asked, not_council_household=True,
        project="Going through the Martin estate rent books of 1848 and 1849, over 3 days in the reading room, for a piece on evictions in Connemara.",
    )
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"Both rent books are open to Fergal Joyce, and his application in round {found['round']} is in for {asked / 100:.2f} euro.",
    }

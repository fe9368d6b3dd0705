def solve(tools):
    readers = tools.find_readers(surname="Gavin", forename="Máire")["readers"]
    ticket = next(reader["ticket_no"] for reader in readers if reader["name"] == "Máire Gavin")
    record = tools.get_reader(ticket_no=ticket, include=["access_cases", "seat_bookings"])
    hits = tools.search_catalogue(text="Blake rental", year_from=1851, year_to=1851)["hits"]
    rental = next(hit["piece_ref"] for hit in hits if "1851" in hit["title"])
    case = next(c for c in record["access_cases"] if c["status"] == "open" and rental in c["piece_refs"])
    booking = next(b for b in record["seat_bookings"] if b["date"] == "2026-03-12" and b["status"] == "booked")
    tools.record_access_decision(
        case_id=case["case_id"], outcome="granted_with_conditions", decided_by_role="depositor", decided_by_name="Rory Blake",
        decided_on="2026-02-26", evidence="letter_on_file", condition_note="Nothing is published from it.",
    )
    asked = tools.request_pieces(ticket_no=ticket, booking_id=booking["booking_id"], piece_refs=[rental])["placed"][0]
    card = tools.renew_ticket(ticket_no=ticket, action="replace_lost_card", address_confirmed=True)
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"Rory Blake's consent is entered, on condition that nothing is published. The rental comes with the van of {asked['run_date']} for her seat on 12 March, and a new card is made at {card['charged_cents'] / 100:.2f} euro.",
    }

def solve(tools):
    listed = tools.list_piece_requests(run_date="2026-10-02", status=["listed_for_run"], limit=200)["requests"]
    titles = {request["piece_ref"]: tools.get_piece(piece_ref=request["piece_ref"])["title"] for request in listed}
    register = next(ref for ref, title in titles.items() if "Clifden workhouse admission register" in title and "1852" in title)
    tithe_book = next(ref for ref, title in titles.items() if "Ballinahinch tithe book" in title)
    tickets = [request["ticket_no"] for request in listed if request["piece_ref"] == register]
    waiting = [tools.find_readers(ticket_no=ticket)["readers"][0]["name"] for ticket in tickets]
    run = tools.check_in_van_run(run_date="2026-10-02", arrived_at="2026-10-02T10:20:00", missing=[{"piece_ref": register, "reason": "not_found_on_shelf"}])
    readers = tools.find_readers(surname="Folan", forename="Peadar")["readers"]
    ticket = next(reader["ticket_no"] for reader in readers if reader["name"] == "Peadar Folan")
    tools.sign_reader_in(ticket_no=ticket, direction="in")
    request = next(r["request_id"] for r in listed if r["piece_ref"] == tithe_book and r["ticket_no"] == ticket)
    tools.record_piece_movement(piece_ref=tithe_book, movement="issue", request_id=request, ticket_no=ticket)
    return {
        "outcome": "done",
        "answers": {"waiting_for_register": waiting},
        "reason": None,
        "message": f"{run['arrived_count']} pieces are checked in, and Peadar Folan is signed in and has the tithe book. {', '.join(waiting)} was waiting for the register, which is now on the list for {run['rolled_forward'][0]['new_run_date']}.",
    }

def solve(tools):
    readers = tools.find_readers(surname="Heneghan", forename="Colm")["readers"]
    ticket = next(reader["ticket_no"] for reader in readers if reader["name"] == "Colm Heneghan")
    requests = tools.list_piece_requests(ticket_no=ticket, run_date="2026-10-02", status=["listed_for_run"])["requests"]
    wanted = next(r for r in requests if "presentment book" in tools.get_piece(piece_ref=r["piece_ref"])["title"])
    try:
        tools.cancel_piece_request(ticket_no=ticket, request_ids=[wanted["request_id"]], mode="cancel", cause="not_wanted")
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "van_list_cut_off",
            "message": "A piece request can be cancelled only while its van list is open, and the list for today's van closed at 15:00 on the last desk day before it. So Colm Heneghan's presentment book will still come.",
        }
    return {"outcome": "done", "answers": {}, "reason": None, "message": "Colm Heneghan's request for the presentment book is cancelled."}

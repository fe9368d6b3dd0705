def solve(tools):
    tomorrow = tools.list_piece_requests(run_date="2026-03-03", status=["listed_for_run"], limit=200)["requests"]
    later = tools.list_piece_requests(run_date="2026-03-27", status=["listed_for_run"], limit=200)["requests"]
    hers, readers = None, None
    if len(tomorrow) > len(later):
        found = tools.find_readers(surname="Prendergast", forename="Helena")["readers"]
        tickets = {reader["ticket_no"] for reader in found}
        hers = sum(1 for request in tomorrow if request["ticket_no"] in tickets)
        rest = f"{hers} of tomorrow's are Helena Prendergast's."
    else:
        readers = len({request["ticket_no"] for request in later})
        rest = f"The later list serves {readers} readers."
    return {
        "outcome": "done",
        "answers": {"pieces_on_3_march": len(tomorrow), "pieces_on_27_march": len(later), "prendergast_pieces": hers, "readers_on_27_march": readers},
        "reason": None,
        "message": f"There are {len(tomorrow)} pieces on the list for 3 March and {len(later)} on the one for 27 March. {rest}",
    }

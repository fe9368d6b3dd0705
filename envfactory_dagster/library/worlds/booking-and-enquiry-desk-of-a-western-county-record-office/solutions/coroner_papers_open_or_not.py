def solve(tools):
    readers = tools.find_readers(surname="Conneely", forename="Bríd")["readers"]
    ticket = next(reader["ticket_no"] for reader in readers if reader["town"] == "Carraroe")
    may_see, opens, soonest = None, None, None
    for year in (1948, 1953):
        hits = tools.search_catalogue(text="Coroner's inquest papers Clifden district", year_from=year, year_to=year)["hits"]
        piece = next(hit["piece_ref"] for hit in hits if "Clifden" in hit["title"])
        access = tools.check_piece_access(ticket_no=ticket, piece_ref=piece)
        if access["answer"] in ("allowed", "allowed_supervised"):
            may_see = f"the {year} bundle"
            soonest = tools.get_earliest_production(piece_refs=[piece], ticket_no=ticket)["pieces"][0]["producible_from"]
        else:
            opens = access.get("opens_on")
    return {
        "outcome": "done",
        "answers": {"may_see": may_see, "other_opens_on": opens, "soonest_day": soonest[:10]},
        "reason": None,
        "message": f"Bríd Conneely may see {may_see}; the other one opens on {opens}. Asked for now, hers could be on the table on {soonest[:10]} from {soonest[11:16]}.",
    }

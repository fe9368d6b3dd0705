def solve(tools):
    borrowed = {loan["title_id"] for loan in tools.list_my_loans()["loans"]}
    on_shelf = []
    for title in tools.search_titles(kind="board_game")["titles"]:
        copies = tools.get_title(title_id=title["id"])["copies"]
        if any(c["status"] == "lendable" and not c["is_out"] and not c["is_kept_for_hold"] for c in copies):
            on_shelf.append(title)
    known = [title["name"] for title in on_shelf if title["id"] in borrowed]
    new = [title for title in on_shelf if title["id"] not in borrowed]
    biggest = max(new, key=lambda title: title["piece_count"])
    hold = tools.place_hold(title_id=biggest["id"])["hold"]
    return {
        "outcome": "done",
        "answers": {
            "games_on_shelf": len(on_shelf),
            "borrowed_before": known,
            "reserved_game": hold["title_name"],
            "reserved_game_pieces": biggest["piece_count"],
        },
        "reason": None,
        "message": f"{len(on_shelf)} board games are on the shelf, of which you have borrowed {', '.join(known)} already."
        f" I reserved {hold['title_name']} for you, with {biggest['piece_count']} pieces.",
    }

def goal_says_games_on_shelf(world) -> bool:
    """Says how many board games have a copy on the shelf."""
    row = world.initial.one(
        "SELECT count(*) AS n FROM titles t WHERE t.kind = 'board_game' AND EXISTS"
        " (SELECT 1 FROM copies c WHERE c.title_id = t.id AND c.status = 'lendable'"
        " AND NOT EXISTS (SELECT 1 FROM loans l WHERE l.copy_id = c.id AND l.status = 'out')"
        " AND NOT EXISTS (SELECT 1 FROM holds h WHERE h.copy_id = c.id AND h.status = 'ready'))"
    )
    return world.report.says("games_on_shelf", row["n"])


def goal_says_borrowed_before(world) -> bool:
    """Names the board games on the shelf that the user has borrowed already."""
    rows = world.initial.query(
        "SELECT t.name FROM titles t WHERE t.kind = 'board_game' AND EXISTS"
        " (SELECT 1 FROM copies c WHERE c.title_id = t.id AND c.status = 'lendable'"
        " AND NOT EXISTS (SELECT 1 FROM loans l WHERE l.copy_id = c.id AND l.status = 'out')"
        " AND NOT EXISTS (SELECT 1 FROM holds h WHERE h.copy_id = c.id AND h.status = 'ready'))"
        " AND EXISTS (SELECT 1 FROM loans m JOIN copies k ON k.id = m.copy_id"
        " WHERE m.member_id = 1 AND k.title_id = t.id) ORDER BY t.name"
    )
    return world.report.says("borrowed_before", [row["name"] for row in rows])


def goal_says_reserved_game(world) -> bool:
    """Names the board game with the most pieces on the shelf that the user never borrowed."""
    game = world.initial.one(
        "SELECT t.id, t.name, t.piece_count FROM titles t WHERE t.kind = 'board_game' AND EXISTS"
        " (SELECT 1 FROM copies c WHERE c.title_id = t.id AND c.status = 'lendable'"
        " AND NOT EXISTS (SELECT 1 FROM loans l WHERE l.copy_id = c.id AND l.status = 'out')"
        " AND NOT EXISTS (SELECT 1 FROM holds h WHERE h.copy_id = c.id AND h.status = 'ready'))"
        " AND NOT EXISTS (SELECT 1 FROM loans m JOIN copies k ON k.id = m.copy_id"
        " WHERE m.member_id = 1 AND k.title_id = t.id) ORDER BY t.piece_count DESC LIMIT 1"
    )
    return world.report.says("reserved_game", game["name"])


def goal_says_reserved_game_pieces(world) -> bool:
    """Says how many pieces the reserved board game has."""
    game = world.initial.one(
        "SELECT t.id, t.name, t.piece_count FROM titles t WHERE t.kind = 'board_game' AND EXISTS"
        " (SELECT 1 FROM copies c WHERE c.title_id = t.id AND c.status = 'lendable'"
        " AND NOT EXISTS (SELECT 1 FROM loans l WHERE l.copy_id = c.id AND l.status = 'out')"
        " AND NOT EXISTS (SELECT 1 FROM holds h WHERE h.copy_id = c.id AND h.status = 'ready'))"
        " AND NOT EXISTS (SELECT 1 FROM loans m JOIN copies k ON k.id = m.copy_id"
        " WHERE m.member_id = 1 AND k.title_id = t.id) ORDER BY t.piece_count DESC LIMIT 1"
    )
    return world.report.says("reserved_game_pieces", game["piece_count"])


def goal_reserves_the_game(world) -> bool:
    """The user has a new waiting hold on the board game with the most pieces that they never borrowed."""
    game = world.initial.one(
        "SELECT t.id, t.name, t.piece_count FROM titles t WHERE t.kind = 'board_game' AND EXISTS"
        " (SELECT 1 FROM copies c WHERE c.title_id = t.id AND c.status = 'lendable'"
        " AND NOT EXISTS (SELECT 1 FROM loans l WHERE l.copy_id = c.id AND l.status = 'out')"
        " AND NOT EXISTS (SELECT 1 FROM holds h WHERE h.copy_id = c.id AND h.status = 'ready'))"
        " AND NOT EXISTS (SELECT 1 FROM loans m JOIN copies k ON k.id = m.copy_id"
        " WHERE m.member_id = 1 AND k.title_id = t.id) ORDER BY t.piece_count DESC LIMIT 1"
    )
    row = world.final.one(
        "SELECT count(*) AS n FROM holds WHERE member_id = 1 AND title_id = ? AND status = 'waiting'",
        (game["id"],),
    )
    return row["n"] == 1


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_one_hold_only(world) -> bool:
    """Changed nothing but one new waiting hold of the user on that board game."""
    game = world.initial.one(
        "SELECT t.id, t.name, t.piece_count FROM titles t WHERE t.kind = 'board_game' AND EXISTS"
        " (SELECT 1 FROM copies c WHERE c.title_id = t.id AND c.status = 'lendable'"
        " AND NOT EXISTS (SELECT 1 FROM loans l WHERE l.copy_id = c.id AND l.status = 'out')"
        " AND NOT EXISTS (SELECT 1 FROM holds h WHERE h.copy_id = c.id AND h.status = 'ready'))"
        " AND NOT EXISTS (SELECT 1 FROM loans m JOIN copies k ON k.id = m.copy_id"
        " WHERE m.member_id = 1 AND k.title_id = t.id) ORDER BY t.piece_count DESC LIMIT 1"
    )
    if len(world.changes) > 1:
        return False
    for change in world.changes:
        after = change["after"]
        if change["table"] != "holds" or change["before"] is not None or after is None:
            return False
        if after["member_id"] != 1 or after["title_id"] != game["id"] or after["status"] != "waiting":
            return False
        if after["copy_id"] is not None:
            return False
    return True

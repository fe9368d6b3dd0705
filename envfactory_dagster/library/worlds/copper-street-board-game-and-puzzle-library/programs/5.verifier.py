def goal_says_jigsaw_charges(world) -> bool:
    """Says what the user was charged for jigsaws altogether."""
    sums = world.initial.one(
        "SELECT coalesce(sum(CASE WHEN t.kind = 'jigsaw' THEN c.amount_cents END), 0) AS jigsaw,"
        " coalesce(sum(CASE WHEN t.kind = 'board_game' THEN c.amount_cents END), 0) AS board_game"
        " FROM replacement_charges c JOIN piece_reports r ON r.id = c.piece_report_id"
        " JOIN copies k ON k.id = r.copy_id JOIN titles t ON t.id = k.title_id WHERE c.member_id = 1"
    )
    return world.report.says("jigsaw_charges", sums["jigsaw"])


def goal_says_board_game_charges(world) -> bool:
    """Says what the user was charged for board games altogether."""
    sums = world.initial.one(
        "SELECT coalesce(sum(CASE WHEN t.kind = 'jigsaw' THEN c.amount_cents END), 0) AS jigsaw,"
        " coalesce(sum(CASE WHEN t.kind = 'board_game' THEN c.amount_cents END), 0) AS board_game"
        " FROM replacement_charges c JOIN piece_reports r ON r.id = c.piece_report_id"
        " JOIN copies k ON k.id = r.copy_id JOIN titles t ON t.id = k.title_id WHERE c.member_id = 1"
    )
    return world.report.says("board_game_charges", sums["board_game"])


def goal_says_dearer_kind(world) -> bool:
    """Says whether jigsaws or board games were dearer."""
    sums = world.initial.one(
        "SELECT coalesce(sum(CASE WHEN t.kind = 'jigsaw' THEN c.amount_cents END), 0) AS jigsaw,"
        " coalesce(sum(CASE WHEN t.kind = 'board_game' THEN c.amount_cents END), 0) AS board_game"
        " FROM replacement_charges c JOIN piece_reports r ON r.id = c.piece_report_id"
        " JOIN copies k ON k.id = r.copy_id JOIN titles t ON t.id = k.title_id WHERE c.member_id = 1"
    )
    return world.report.says("dearer_kind", "jigsaws" if sums["jigsaw"] > sums["board_game"] else "board games")


def goal_says_dearer_kind_unpaid(world) -> bool:
    """Says how much the user still owes for the dearer kind."""
    sums = world.initial.one(
        "SELECT coalesce(sum(CASE WHEN t.kind = 'jigsaw' THEN c.amount_cents END), 0) AS jigsaw,"
        " coalesce(sum(CASE WHEN t.kind = 'board_game' THEN c.amount_cents END), 0) AS board_game"
        " FROM replacement_charges c JOIN piece_reports r ON r.id = c.piece_report_id"
        " JOIN copies k ON k.id = r.copy_id JOIN titles t ON t.id = k.title_id WHERE c.member_id = 1"
    )
    dearer = "jigsaw" if sums["jigsaw"] > sums["board_game"] else "board_game"
    row = world.initial.one(
        "SELECT coalesce(sum(c.amount_cents), 0) AS n FROM replacement_charges c JOIN piece_reports r ON r.id = c.piece_report_id"
        " JOIN copies k ON k.id = r.copy_id JOIN titles t ON t.id = k.title_id WHERE c.member_id = 1"
        " AND c.status = 'unpaid' AND t.kind = ?",
        (dearer,),
    )
    return world.report.says("dearer_kind_unpaid", row["n"])


def goal_says_dearer_kind_incomplete(world) -> bool:
    """Names the titles of the dearer kind for which the lost piece has not been replaced."""
    sums = world.initial.one(
        "SELECT coalesce(sum(CASE WHEN t.kind = 'jigsaw' THEN c.amount_cents END), 0) AS jigsaw,"
        " coalesce(sum(CASE WHEN t.kind = 'board_game' THEN c.amount_cents END), 0) AS board_game"
        " FROM replacement_charges c JOIN piece_reports r ON r.id = c.piece_report_id"
        " JOIN copies k ON k.id = r.copy_id JOIN titles t ON t.id = k.title_id WHERE c.member_id = 1"
    )
    dearer = "jigsaw" if sums["jigsaw"] > sums["board_game"] else "board_game"
    rows = world.initial.query(
        "SELECT t.name FROM replacement_charges c JOIN piece_reports r ON r.id = c.piece_report_id"
        " JOIN copies k ON k.id = r.copy_id JOIN titles t ON t.id = k.title_id WHERE c.member_id = 1"
        " AND r.status = 'open' AND t.kind = ?",
        (dearer,),
    )
    return world.report.says("dearer_kind_incomplete", [row["name"] for row in rows])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing at all."""
    return len(world.changes) == 0

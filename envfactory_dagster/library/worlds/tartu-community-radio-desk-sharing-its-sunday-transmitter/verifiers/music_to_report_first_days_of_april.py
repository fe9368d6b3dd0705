def _plays(world):
    """Every play of music from 1 to 5 April, in logged hours and in the night reruns of such hours."""
    return world.initial.query(
        "SELECT 'hour' AS way, i.title, i.artist, i.estonian FROM programmes p"
        " JOIN running_order_items i ON i.programme_id = p.id"
        " WHERE i.kind = 'music' AND p.status = 'logged' AND substr(p.starts_at, 1, 10) BETWEEN ? AND ?"
        " UNION ALL SELECT 'rerun', i.title, i.artist, i.estonian FROM night_reruns n"
        " JOIN programmes p ON p.id = n.programme_id JOIN running_order_items i ON i.programme_id = p.id"
        " WHERE i.kind = 'music' AND p.status = 'logged' AND n.night BETWEEN ? AND ?",
        ["2026-04-01", "2026-04-05", "2026-04-01", "2026-04-05"],
    )


def goal_tells_the_plays(world) -> bool:
    """Tells how many times music was played."""
    return world.report.says("plays", len(_plays(world)))


def goal_tells_the_estonian_plays(world) -> bool:
    """Tells how many of the plays were Estonian."""
    return world.report.says("estonian_plays", sum(1 for play in _plays(world) if play["estonian"] == 1))


def goal_tells_the_most_played_piece(world) -> bool:
    """Tells the title of the piece that was played most often."""
    counts = {}
    for play in _plays(world):
        piece = (play["title"], play["artist"])
        counts[piece] = counts.get(piece, 0) + 1
    most = max(counts.values())
    return any(world.report.says("most_played", piece[0]) for piece, number in counts.items() if number == most)


def goal_tells_the_plays_in_reruns(world) -> bool:
    """Tells how many of the plays came from the night reruns alone."""
    return world.report.says("rerun_plays", sum(1 for play in _plays(world) if play["way"] == "rerun"))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing at all."""
    return world.changes == []

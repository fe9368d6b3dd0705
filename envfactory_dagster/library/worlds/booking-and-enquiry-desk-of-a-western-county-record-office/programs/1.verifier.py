def _listed(world, day):
    return world.initial.query(
        "SELECT q.reader_id, r.surname, r.forenames FROM piece_requests q JOIN van_runs v ON v.id = q.van_run_id"
        " JOIN readers r ON r.id = q.reader_id WHERE v.run_date = ? AND q.status = 'listed' ORDER BY q.id",
        [day],
    )


def goal_says_pieces_of_3_march(world) -> bool:
    """Says how many pieces are on the list for 3 March."""
    return world.report.says("pieces_on_3_march", len(_listed(world, "2026-03-03")))


def goal_says_pieces_of_27_march(world) -> bool:
    """Says how many pieces are on the list for 27 March."""
    return world.report.says("pieces_on_27_march", len(_listed(world, "2026-03-27")))


def goal_says_prendergasts_pieces(world) -> bool:
    """Says how many of tomorrow's pieces are Helena Prendergast's, if that list is the longer."""
    tomorrow, later = _listed(world, "2026-03-03"), _listed(world, "2026-03-27")
    hers = sum(1 for row in tomorrow if row["surname"] == "Prendergast" and row["forenames"] == "Helena")
    return world.report.says("prendergast_pieces", hers if len(tomorrow) > len(later) else None)


def goal_says_readers_only_if_due(world) -> bool:
    """Says how many readers the later list serves only if tomorrow's is not the longer."""
    tomorrow, later = _listed(world, "2026-03-03"), _listed(world, "2026-03-27")
    readers = len({row["reader_id"] for row in later})
    due = len(tomorrow) <= len(later)
    said = world.report.says("readers_on_27_march", readers if due else None)
    return said and world.report.outcome is not None


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return len(world.changes) == 0

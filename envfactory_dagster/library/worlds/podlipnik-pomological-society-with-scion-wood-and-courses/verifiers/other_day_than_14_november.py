def _reservation(world, name):
    return world.initial.one(
        "SELECT r.id FROM tree_reservations r JOIN lots l ON l.id = r.lot_id"
        " JOIN tree_collection_days d ON d.id = r.tree_collection_day_id"
        " WHERE r.member_id = 1 AND r.status = 'held' AND l.name = ? AND d.held_on = '2026-11-14'",
        [name],
    )["id"]


def _days(world):
    return [
        row["id"]
        for row in world.initial.query(
            "SELECT id FROM tree_collection_days WHERE held_on IN ('2026-11-07', '2026-11-15') ORDER BY id"
        )
    ]


def _day_now(world, name):
    return world.final.one(
        "SELECT d.id, d.from_time, d.to_time, r.trees, r.status FROM tree_reservations r"
        " JOIN tree_collection_days d ON d.id = r.tree_collection_day_id WHERE r.id = ?",
        [_reservation(world, name)],
    )


def _is_moved(world, name):
    row = _day_now(world, name)
    return row is not None and row["id"] in _days(world) and row["status"] == "held"


def goal_moves_zlata_parmena(world) -> bool:
    """Has Zlata parmena at Podlipnik on 7 November or at Mahovnica on 15 November."""
    return _is_moved(world, "Zlata parmena")


def goal_moves_carjevic_to_the_same_place(world) -> bool:
    """Has Carjevič at one of these places too, and at the same as Zlata parmena."""
    return (
        _is_moved(world, "Carjevič")
        and _is_moved(world, "Zlata parmena")
        and _day_now(world, "Carjevič")["id"] == _day_now(world, "Zlata parmena")["id"]
    )


def goal_says_from_when(world) -> bool:
    """Says from when trees are handed out on the day taken."""
    return _is_moved(world, "Zlata parmena") and world.report.says(
        "from_time", _day_now(world, "Zlata parmena")["from_time"]
    )


def goal_says_until_when(world) -> bool:
    """Says until when trees are handed out on the day taken."""
    return _is_moved(world, "Zlata parmena") and world.report.says(
        "to_time", _day_now(world, "Zlata parmena")["to_time"]
    )


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but the collection day of these two reservations."""
    both = [_reservation(world, "Zlata parmena"), _reservation(world, "Carjevič")]
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "tree_reservations" or before is None or after is None or before["id"] not in both:
            return False
        if any(
            before[column] != after[column]
            for column in before
            if column not in ("tree_collection_day_id", "place_changed_on")
        ):
            return False
        if after["tree_collection_day_id"] not in _days(world):
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, and for no rule as a reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None

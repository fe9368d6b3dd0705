def _lot(world):
    return world.initial.query(
        "SELECT id, member_price_cents FROM lots WHERE name IN (?, ?) AND kind = 'tree' AND free_pieces >= 1"
        " AND member_price_cents <= 2000 ORDER BY member_price_cents, id",
        ["Pastorjevka", "Tepka"],
    )[0]


def _only(change, columns):
    before, after = change["before"], change["after"]
    return (
        before is not None
        and after is not None
        and all(before[column] == after[column] for column in before if column not in columns)
    )


def _lot_moved(change, trees):
    before, after = change["before"], change["after"]
    return (
        _only(change, ("reserved_or_sold", "free_pieces"))
        and after["free_pieces"] == before["free_pieces"] - trees
        and after["reserved_or_sold"] == before["reserved_or_sold"] + trees
    )


def goal_reserves_one_tree_of_the_cheaper_pear(world) -> bool:
    """Has one tree of the cheaper of the two pears reserved."""
    rows = world.final.query(
        "SELECT trees, status FROM tree_reservations WHERE member_id = 1 AND lot_id = ?"
        " AND status IN ('awaiting deposit', 'held')",
        [_lot(world)["id"]],
    )
    return len(rows) == 1 and rows[0]["trees"] == 1 and rows[0]["status"] == "awaiting deposit"


def goal_names_the_parcel_and_signs(world) -> bool:
    """Has it reserved for parcel 418/2 in the municipality of Podlipnik, signed."""
    row = world.final.one(
        "SELECT count(*) AS n FROM tree_reservations WHERE member_id = 1 AND lot_id = ?"
        " AND status = 'awaiting deposit' AND parcel_number = '418/2' AND parcel_municipality = 'Podlipnik'"
        " AND is_signed = 1",
        [_lot(world)["id"]],
    )
    return row["n"] == 1


def goal_is_collected_on_7_november(world) -> bool:
    """Has it reserved for collection at Na Humu on 7 November."""
    row = world.final.one(
        "SELECT count(*) AS n FROM tree_reservations r"
        " JOIN tree_collection_days d ON d.id = r.tree_collection_day_id"
        " JOIN collection_places p ON p.id = d.place_id WHERE r.member_id = 1 AND r.lot_id = ?"
        " AND r.status = 'awaiting deposit' AND d.held_on = '2026-11-07' AND p.code = 'K1'",
        [_lot(world)["id"]],
    )
    return row["n"] == 1


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but one new reservation of one such tree and the pieces of its lot."""
    lot = _lot(world)
    new = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] == "tree_reservations" and before is None:
            if after["member_id"] != 1 or after["lot_id"] != lot["id"] or after["trees"] != 1:
                return False
            new += 1
        elif change["table"] == "lots" and before is not None and after is not None:
            if before["id"] != lot["id"] or not _lot_moved(change, 1):
                return False
        else:
            return False
    return new <= 1


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, and for no rule as a reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None

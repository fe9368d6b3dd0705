def _cheapest(world, code):
    rows = world.initial.query(
        "SELECT l.id, l.member_price_cents FROM lots l JOIN varieties v ON v.id = l.variety_code_id"
        " WHERE v.code = ? AND l.kind = 'tree' AND l.form_or_grade = '1-year' AND l.free_pieces >= 1"
        " ORDER BY l.member_price_cents, l.id",
        [code],
    )
    return rows[0]["id"]


def _partner_codes(world):
    return [
        row["code"]
        for row in world.initial.query(
            "SELECT p.code FROM pollinations x JOIN varieties v ON v.id = x.variety_id"
            " JOIN varieties p ON p.id = x.pollinator_id WHERE v.name = ? ORDER BY p.id",
            ["Boskopski kosmač"],
        )
    ]


def _wanted_lots(world):
    return [_cheapest(world, code) for code in _partner_codes(world)]


def _mahovnica(world):
    return world.initial.one(
        "SELECT d.id FROM tree_collection_days d JOIN collection_places p ON p.id = d.place_id"
        " WHERE p.settlement = 'Mahovnica'"
    )["id"]


def _sevka(world):
    return world.initial.one(
        "SELECT r.id, r.lot_id FROM tree_reservations r JOIN lots l ON l.id = r.lot_id"
        " WHERE r.member_id = 1 AND l.name = ? AND r.status = 'awaiting deposit' AND r.trees = 3",
        ["Goriška sevka"],
    )


def _new_reservations(world, lot_id):
    known = [row["id"] for row in world.initial.query("SELECT id FROM tree_reservations ORDER BY id")]
    rows = world.final.query(
        "SELECT * FROM tree_reservations WHERE lot_id = ? AND member_id = 1 ORDER BY id", [lot_id]
    )
    return [row for row in rows if row["id"] not in known]


def _is_reserved(world, lot_id):
    rows = _new_reservations(world, lot_id)
    return (
        len(rows) == 1
        and rows[0]["trees"] == 1
        and rows[0]["status"] == "awaiting deposit"
        and rows[0]["tree_collection_day_id"] == _mahovnica(world)
    )


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


def goal_reserves_the_cheapest_zlata_parmena(world) -> bool:
    """Has one 1-year tree of the cheapest lot of Zlata parmena reserved for collection in Mahovnica."""
    return _is_reserved(world, _cheapest(world, "J-05"))


def goal_reserves_the_cheapest_mosancelj(world) -> bool:
    """Has one 1-year tree of the cheapest lot of Štajerski mošancelj reserved for collection in Mahovnica."""
    return _is_reserved(world, _cheapest(world, "J-11"))


def goal_lowers_goriska_sevka_to_one(world) -> bool:
    """Has lowered the reservation of three Goriška sevka to one tree."""
    row = world.final.one("SELECT trees, status FROM tree_reservations WHERE id = ?", [_sevka(world)["id"]])
    return row is not None and row["trees"] == 1 and row["status"] == "awaiting deposit"


def goal_says_the_deposits(world) -> bool:
    """Has told that the deposits for the three trees are 15.00 EUR in all."""
    deposit = world.initial.one(
        "SELECT deposit_per_tree_cents AS n FROM tree_reservations WHERE id = ?", [_sevka(world)["id"]]
    )["n"]
    return world.report.says("deposits_in_all", 3 * deposit)


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but the two new reservations, the number of Goriška sevka and the pieces of their lots."""
    wanted = _wanted_lots(world)
    sevka = _sevka(world)
    new_lots = []
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] == "tree_reservations" and before is None:
            if (
                after["member_id"] != 1
                or after["lot_id"] not in wanted
                or after["trees"] != 1
                or after["parcel_number"] is not None
                or after["is_signed"] != 0
            ):
                return False
            new_lots.append(after["lot_id"])
        elif change["table"] == "tree_reservations":
            if after is None or before["id"] != sevka["id"] or not _only(change, ("trees",)) or after["trees"] != 1:
                return False
        elif change["table"] == "lots" and before is not None and after is not None:
            if before["id"] in wanted:
                if not _lot_moved(change, 1):
                    return False
            elif before["id"] != sevka["lot_id"] or not _lot_moved(change, -2):
                return False
        else:
            return False
    return len(new_lots) == len(set(new_lots))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, and for no rule as a reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None

LOT = (
    "SELECT id, net_kg FROM lots WHERE member_id = 1 AND honey_type = 'acacia' AND extracted_on = '2025-06-10'"
    " AND status = 'open'"
)
TANK = "SELECT id FROM tanks WHERE is_protected = 1 AND status = 'filling' AND honey_type = 'acacia'"


def _only(change, columns):
    """Whether a changed row differs in these columns alone."""
    before, after = change["before"], change["after"]
    return all(before[name] == after[name] for name in before if name not in columns)


def _new(world, table):
    """The rows that are new in a table."""
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_second_reading_is_entered(world) -> bool:
    """The second reading of the lot is entered: 17.6 % at 24 degrees with R2."""
    lot = world.initial.one(LOT, [])
    rows = world.final.query(
        "SELECT reading_no, percent, honey_temp_c, refractometer FROM moisture_readings WHERE lot_id = ?"
        " AND reading_no > 1",
        [lot["id"]],
    )
    return rows == [{"reading_no": 2, "percent": 17.6, "honey_temp_c": 24.0, "refractometer": "R2"}]


def goal_whole_lot_is_poured(world) -> bool:
    """All kilos of the lot are poured into the protected tank that is being filled with acacia."""
    lot = world.initial.one(LOT, [])
    tank = world.initial.one(TANK, [])
    rows = world.final.query("SELECT tank_id, kg FROM pours WHERE lot_id = ?", [lot["id"]])
    return (
        len(rows) > 0
        and all(row["tank_id"] == tank["id"] for row in rows)
        and abs(sum(row["kg"] for row in rows) - lot["net_kg"]) < 0.005
    )


def goal_lot_is_marked_as_poured(world) -> bool:
    """The lot is in the state poured."""
    lot = world.initial.one(LOT, [])
    return world.final.one("SELECT status FROM lots WHERE id = ?", [lot["id"]])["status"] == "poured"


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_leaves_the_mean_empty(world) -> bool:
    """Gives no mean, which is asked for only when nothing is poured."""
    return world.report.outcome is None or world.report.says("mean", None)


def guard_adds_only_the_reading_and_its_pour(world) -> bool:
    """Added no row but the one reading and pours of that lot into that tank, with their right share."""
    lot = world.initial.one(LOT, [])
    tank = world.initial.one(TANK, [])
    readings = 0
    for change in world.changes:
        if change["before"] is not None:
            continue
        row = change["after"]
        if change["table"] == "moisture_readings":
            readings += 1
            right = (row["lot_id"], row["reading_no"], row["percent"], row["honey_temp_c"], row["refractometer"]) == (
                lot["id"], 2, 17.6, 24.0, "R2")
        elif change["table"] == "pours":
            share = round(row["kg"] * 0.985, 2)
            right = row["lot_id"] == lot["id"] and row["tank_id"] == tank["id"] and abs(row["share_kg"] - share) < 0.005
        else:
            right = False
        if not right:
            return False
    return readings <= 1


def guard_changes_only_the_status_of_the_lot(world) -> bool:
    """Changed no row but the status of that lot, and deleted none."""
    lot = world.initial.one(LOT, [])
    for change in world.changes:
        if change["after"] is None:
            return False
        if change["before"] is None:
            continue
        if change["table"] != "lots" or change["before"]["id"] != lot["id"] or not _only(change, ("status",)):
            return False
    return True

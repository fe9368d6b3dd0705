LOTS = (
    "SELECT l.id, l.honey_type, l.net_kg, ROUND(MAX(r.percent) - MIN(r.percent), 2) AS apart,"
    " ROUND(AVG(r.percent), 2) AS mean"
    " FROM lots l JOIN moisture_readings r ON r.lot_id = l.id"
    " WHERE l.member_id = 1 AND l.status = 'measured'"
    " GROUP BY l.id ORDER BY apart DESC, l.id"
)
TANK = "SELECT id, max_moisture_percent FROM tanks WHERE status = 'filling' AND honey_type = 'spruce'"


def _furthest(world):
    return world.initial.query(LOTS, [])[0]


def _to_pour(world):
    tank = world.initial.one(TANK, [])
    lots = world.initial.query(LOTS, [])[1:]
    fit = [
        l for l in lots
        if l["honey_type"] == "spruce" and l["apart"] <= 0.4 and l["mean"] <= tank["max_moisture_percent"]
    ]
    return tank, fit[0]


def _share(world):
    tank, lot = _to_pour(world)
    before = world.initial.one(
        "SELECT (SELECT COALESCE(SUM(p.share_kg), 0) FROM pours p JOIN lots l ON l.id = p.lot_id"
        " WHERE p.tank_id = :tank AND l.member_id = 1)"
        " - (SELECT COALESCE(SUM(d.kg), 0) FROM draw_offs d WHERE d.tank_id = :tank AND d.member_id = 1) AS kg",
        {"tank": tank["id"]},
    )["kg"]
    return round(before + round(lot["net_kg"] * 0.985, 2), 2)


def goal_says_honey(world) -> bool:
    """Says which honey has its readings furthest apart."""
    return world.report.says("honey", _furthest(world)["honey_type"])


def goal_says_kilos_of_that_lot(world) -> bool:
    """Says how many kilos that lot has."""
    return world.report.says("lot_kilos", _furthest(world)["net_kg"])


def goal_says_points_apart(world) -> bool:
    """Says by how many points its readings lie apart."""
    return world.report.says("points_apart", _furthest(world)["apart"])


def goal_says_spruce_share(world) -> bool:
    """Says how many kilos the user's share of the spruce tank is now."""
    return world.report.says("spruce_share", _share(world))


def goal_pours_the_other_spruce_lot(world) -> bool:
    """The other spruce lot stands in the spruce tank, all of it in one pour with the right share."""
    tank, lot = _to_pour(world)
    rows = world.final.query("SELECT tank_id, kg, share_kg, poured_at FROM pours WHERE lot_id = ?", [lot["id"]])
    return (
        len(rows) == 1
        and rows[0]["tank_id"] == tank["id"]
        and abs(rows[0]["kg"] - lot["net_kg"]) < 0.005
        and abs(rows[0]["share_kg"] - round(lot["net_kg"] * 0.985, 2)) < 0.005
    )


def goal_marks_the_lot_as_poured(world) -> bool:
    """The poured lot is marked as poured."""
    lot = _to_pour(world)[1]
    return world.final.one("SELECT status FROM lots WHERE id = ?", [lot["id"]])["status"] == "poured"


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_adds_only_one_pour_of_that_lot(world) -> bool:
    """Added no row but one pour of the other spruce lot into the spruce tank."""
    tank, lot = _to_pour(world)
    new = [c for c in world.changes if c["before"] is None]
    return len(new) <= 1 and all(
        c["table"] == "pours" and c["after"]["lot_id"] == lot["id"] and c["after"]["tank_id"] == tank["id"] for c in new
    )


def guard_changes_no_other_row(world) -> bool:
    """Changed nothing but the status of that lot and deleted nothing."""
    lot = _to_pour(world)[1]
    for c in world.changes:
        if c["after"] is None:
            return False
        if c["before"] is None:
            continue
        if c["table"] != "lots" or c["before"]["id"] != lot["id"]:
            return False
        if any(c["before"][k] != c["after"][k] for k in c["before"] if k != "status"):
            return False
    return True

def _boat(world):
    return world.initial.one("SELECT * FROM boats WHERE boat_owner_id = 1 AND name = 'Ternen'")


def _lift(world):
    return world.initial.one(
        "SELECT l.* FROM crane_lifts l JOIN tide_windows w ON w.id = l.tide_window_id"
        " WHERE l.boat_id = ? AND l.status = 'booked' AND l.direction = 'into_water'"
        " AND w.starts_at >= '2026-05-09' AND w.starts_at < '2026-05-10'",
        [_boat(world)["id"]],
    )


def _place(world):
    return world.initial.one(
        "SELECT * FROM shed_places WHERE boat_id = ? AND status IN ('reserved', 'occupied')", [_boat(world)["id"]]
    )


def _is_moved(world):
    boat, lift = _boat(world), _lift(world)
    row = world.final.one(
        "SELECT w.id FROM crane_lifts l JOIN tide_windows w ON w.id = l.tide_window_id"
        " WHERE l.id = ? AND l.boat_id = ? AND l.status = 'booked' AND l.direction = 'into_water'"
        " AND w.starts_at >= '2026-04-24' AND w.starts_at < '2026-05-02' AND w.water_depth_cm >= ?",
        [lift["id"], boat["id"], boat["draught_cm"] + 20],
    )
    if row is None:
        return False
    booked = world.initial.one(
        "SELECT count(*) AS n FROM crane_lifts WHERE tide_window_id = ? AND status = 'booked'", [row["id"]]
    )
    return booked["n"] < 4


def _only(change, columns):
    before, after = change["before"], change["after"]
    return before is not None and after is not None and all(before[k] == after[k] for k in before if k not in columns)


def goal_moves_the_lift(world) -> bool:
    """Has the lift of 9 May in a tide window from 24 April to 1 May 2026 that had room and has enough water for the Ternen."""
    return _is_moved(world)


def goal_releases_the_shed_place(world) -> bool:
    """Has released the Ternen's place in the shed."""
    row = world.final.one("SELECT status FROM shed_places WHERE id = ?", [_place(world)["id"]])
    return row is not None and row["status"] == "released"


def guard_releases_only_once_moved(world) -> bool:
    """Has not released the shed place without the lift being moved as asked."""
    return _is_moved(world) or not any(c["table"] == "shed_places" for c in world.changes)


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but the tide window of this lift and the state of this shed place."""
    lift, place = _lift(world), _place(world)
    for change in world.changes:
        if change["table"] == "crane_lifts" and change["key"] == [lift["id"]]:
            allowed = _only(change, {"tide_window_id"})
        elif change["table"] == "shed_places" and change["key"] == [place["id"]]:
            allowed = _only(change, {"status", "released_at"})
        else:
            allowed = False
        if not allowed:
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None

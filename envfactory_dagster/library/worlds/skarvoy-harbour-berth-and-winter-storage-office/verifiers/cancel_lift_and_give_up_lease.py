def _boat(world):
    return world.initial.one("SELECT * FROM boats WHERE boat_owner_id = 1 AND name = 'Alken'")


def _lift(world):
    return world.initial.one(
        "SELECT l.* FROM crane_lifts l JOIN tide_windows w ON w.id = l.tide_window_id"
        " WHERE l.boat_id = ? AND l.status = 'booked' AND w.starts_at >= '2026-10-01' AND w.starts_at < '2026-11-01'",
        [_boat(world)["id"]],
    )


def _lease(world):
    return world.initial.one("SELECT * FROM berth_leases WHERE boat_id = ? AND status = 'active'", [_boat(world)["id"]])


def _place(world):
    return world.initial.one(
        "SELECT * FROM shed_places WHERE boat_id = ? AND status IN ('reserved', 'occupied')", [_boat(world)["id"]]
    )


def _only(change, columns):
    before, after = change["before"], change["after"]
    return before is not None and after is not None and all(before[k] == after[k] for k in before if k not in columns)


def goal_cancels_the_lift(world) -> bool:
    """Has cancelled the Alken's lift in October 2026."""
    row = world.final.one("SELECT status FROM crane_lifts WHERE id = ?", [_lift(world)["id"]])
    return row is not None and row["status"] == "cancelled"


def goal_gives_up_the_lease(world) -> bool:
    """Has ended the Alken's active lease."""
    row = world.final.one("SELECT status FROM berth_leases WHERE id = ?", [_lease(world)["id"]])
    return row is not None and row["status"] == "ended"


def goal_releases_the_shed_place(world) -> bool:
    """Has released the shed place kept for the Alken."""
    row = world.final.one("SELECT status FROM shed_places WHERE id = ?", [_place(world)["id"]])
    return row is not None and row["status"] == "released"


def goal_says_whether_anything_is_owed(world) -> bool:
    """Has told whether anything is still owed for the Alken's lease."""
    row = world.initial.one(
        "SELECT coalesce(sum(i.amount_cents - coalesce("
        "(SELECT sum(p.amount_cents) FROM payments p WHERE p.invoice_id = i.id), 0)), 0) AS left_cents"
        " FROM invoices i WHERE i.boat_owner_id = 1 AND i.berth_lease_id = ?",
        [_lease(world)["id"]],
    )
    return world.report.says("still_owing_for_lease", row["left_cents"] > 0)


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but the state of this lift, lease and shed place, and the open absence notices that end with the lease."""
    lift, lease, place = _lift(world), _lease(world), _place(world)
    now = world.final.one("SELECT status FROM berth_leases WHERE id = ?", [lease["id"]])
    for change in world.changes:
        if change["table"] == "crane_lifts" and change["key"] == [lift["id"]]:
            allowed = _only(change, {"status", "cancelled_at"})
        elif change["table"] == "berth_leases" and change["key"] == [lease["id"]]:
            allowed = _only(change, {"status", "ended_at"})
        elif change["table"] == "shed_places" and change["key"] == [place["id"]]:
            allowed = _only(change, {"status", "released_at"})
        elif change["table"] == "absence_notices":
            allowed = (
                _only(change, {"status", "withdrawn_at"})
                and change["before"]["berth_lease_id"] == lease["id"]
                and change["before"]["status"] == "open"
                and change["after"]["status"] == "withdrawn"
                and now is not None
                and now["status"] == "ended"
            )
        else:
            allowed = False
        if not allowed:
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None

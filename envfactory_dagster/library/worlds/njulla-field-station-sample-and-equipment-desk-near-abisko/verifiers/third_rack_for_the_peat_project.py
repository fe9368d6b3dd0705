def _project(world):
    return world.initial.one(
        "SELECT j.id AS id, j.ends_on AS ends_on FROM projects j JOIN people p ON p.id = j.leader_id"
        " WHERE p.name = ? AND j.title LIKE ?",
        ["Hanna Kallio", "%peat%"],
    )


def _free_a_racks(world):
    return [
        row["id"]
        for row in world.initial.query(
            "SELECT p.id AS id FROM store_places p WHERE p.kind = 'rack' AND p.cut_at_tests = 0"
            " AND NOT EXISTS (SELECT 1 FROM bookings b WHERE b.store_place_id = p.id AND b.status IN ('booked', 'out'))"
        )
    ]


def _new_bookings(world):
    return [
        change["after"] for change in world.changes if change["table"] == "bookings" and change["before"] is None
    ]


def goal_signature_is_entered(world) -> bool:
    """Hanna Kallio's rack signature of today is entered for the peat project."""
    row = world.final.one("SELECT rack_signed_on FROM projects WHERE id = ?", [_project(world)["id"]])
    return row is not None and row["rack_signed_on"] == "2026-03-03"


def goal_a_rack_is_taken(world) -> bool:
    """One A rack that was free is taken for the peat project from today until the end of the project."""
    new = _new_bookings(world)
    project = _project(world)
    return (
        len(new) == 1
        and new[0]["project_id"] == project["id"]
        and new[0]["store_place_id"] in _free_a_racks(world)
        and new[0]["from_on"] == "2026-03-03"
        and new[0]["until_on"] == project["ends_on"]
        and new[0]["status"] == "out"
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule as a reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_names_nothing_overdue(world) -> bool:
    """Names no overdue thing, for there is none."""
    return bool(
        world.report.outcome is None
        or world.report.says("overdue_things", None)
        or world.report.says("overdue_things", [])
    )


def guard_names_nobody_who_has_it(world) -> bool:
    """Names nobody as having an overdue thing, for there is none."""
    return bool(
        world.report.outcome is None
        or world.report.says("who_has_them", None)
        or world.report.says("who_has_them", [])
    )


def guard_takes_no_other_rack(world) -> bool:
    """Made at most one booking, of a rack and for the peat project."""
    new = _new_bookings(world)
    project_id = _project(world)["id"]
    return len(new) <= 1 and all(
        one["project_id"] == project_id and one["store_place_id"] is not None for one in new
    )


def guard_changes_nothing_else(world) -> bool:
    """Of what was there, nothing but the signature of the peat project changed."""
    project_id = _project(world)["id"]
    for change in world.changes:
        before, after = change["before"], change["after"]
        if before is None:
            if change["table"] != "bookings":
                return False
            continue
        if change["table"] != "projects" or after is None or before["id"] != project_id:
            return False
        if any(after[name] != before[name] for name in before if name != "rack_signed_on"):
            return False
    return True

def _days(world, name):
    row = world.initial.one(
        "SELECT sum(julianday(substr(coalesce(b.back_at, ?), 1, 10)) - julianday(substr(b.out_at, 1, 10)) + 1) AS n"
        " FROM bookings b JOIN people p ON p.id = b.driver_id JOIN projects j ON j.id = b.project_id"
        " WHERE j.code = 'NJ-26-14' AND p.name = ? AND b.out_at IS NOT NULL",
        ("2026-04-13T09:40:00", name),
    )
    return int(row["n"] or 0)


def _driver(world):
    mine = _days(world, "Ingrid Solheim")
    hers = _days(world, "Aila Sarri")
    return "Ingrid Solheim" if mine < hers else "Aila Sarri"


def _trip(world):
    return world.initial.one(
        "SELECT b.* FROM bookings b JOIN projects j ON j.id = b.project_id JOIN equipment e ON e.id = b.equipment_id"
        " WHERE j.code = 'NJ-26-14' AND e.kind = 'snowmobile' AND b.status = 'booked' ORDER BY b.from_on LIMIT 1"
    )


def goal_puts_the_driver_down(world) -> bool:
    """The next booked snowmobile trip has whoever drove on fewer days as its driver."""
    row = world.final.one(
        "SELECT p.name AS name, b.status AS status FROM bookings b JOIN people p ON p.id = b.driver_id WHERE b.id = ?",
        (_trip(world)["id"],),
    )
    return row is not None and row["name"] == _driver(world) and row["status"] == "booked"


def goal_says_who_drives(world) -> bool:
    """Says who drives on the next trip."""
    return world.report.says("driver", _driver(world))


def goal_says_days_so_far(world) -> bool:
    """Says on how many days she has had a snowmobile out so far."""
    return world.report.says("days_so_far", _days(world, _driver(world)))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_only_the_driver_of_the_trip(world) -> bool:
    """Changed nothing but the driver of the next booked trip."""
    trip = _trip(world)
    for change in world.changes:
        if change["table"] != "bookings" or change["before"] is None or change["after"] is None:
            return False
        if change["before"]["id"] != trip["id"]:
            return False
        for column in change["before"]:
            if column != "driver_id" and change["before"][column] != change["after"][column]:
                return False
    return len(world.changes) <= 1

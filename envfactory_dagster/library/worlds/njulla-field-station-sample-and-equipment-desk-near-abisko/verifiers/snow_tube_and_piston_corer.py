def _free(world, kind, longer_than, first_day, last_day):
    """The things of a kind that could be booked on these days at the start, shortest first."""
    return world.initial.query(
        "SELECT e.id AS id, e.length_cm AS length_cm FROM equipment e WHERE e.kind = ? AND e.length_cm > ?"
        " AND NOT EXISTS (SELECT 1 FROM notes n WHERE n.equipment_id = e.id AND n.status = 'open')"
        " AND NOT EXISTS (SELECT 1 FROM bookings b WHERE b.equipment_id = e.id AND b.status = 'out' AND b.until_on < ?)"
        " AND NOT EXISTS (SELECT 1 FROM bookings b WHERE b.equipment_id = e.id AND b.status IN ('booked', 'out')"
        " AND b.from_on <= ? AND b.until_on >= ?)"
        " ORDER BY e.length_cm, e.id",
        [kind, longer_than, "2026-04-13", last_day, first_day],
    )


def _kind(world, equipment_id):
    row = world.initial.one("SELECT kind FROM equipment WHERE id = ?", [equipment_id])
    return None if row is None else row["kind"]


def _new_bookings(world, kind):
    return [
        change["after"]
        for change in world.changes
        if change["table"] == "bookings" and change["before"] is None
        and _kind(world, change["after"]["equipment_id"]) == kind
    ]


def _site(world, name):
    return world.initial.one("SELECT id FROM sites WHERE name = ?", [name])["id"]


def _gravity_corer_booking(world):
    return world.initial.one(
        "SELECT b.id AS id FROM bookings b JOIN equipment e ON e.id = b.equipment_id"
        " WHERE b.project_id = 1 AND e.kind = 'gravity_corer' AND b.status = 'booked' AND b.from_on = ?",
        ["2026-04-20"],
    )["id"]


def goal_snow_tube_is_booked(world) -> bool:
    """Has the shortest free tube longer than 196 cm of snow from 16 to 20 April for the east slope."""
    free = _free(world, "snow_tube", 196, "2026-04-16", "2026-04-20")
    shortest = [one["id"] for one in free if one["length_cm"] == free[0]["length_cm"]]
    new = _new_bookings(world, "snow_tube")
    return (
        len(new) == 1
        and new[0]["project_id"] == 1
        and new[0]["equipment_id"] in shortest
        and new[0]["site_id"] == _site(world, "Njulla, east slope")
        and new[0]["from_on"] == "2026-04-16"
        and new[0]["until_on"] == "2026-04-20"
        and new[0]["snow_depth_cm"] == 196
        and new[0]["status"] == "booked"
    )


def goal_piston_corer_is_booked(world) -> bool:
    """Has a piston corer for Vuolep Njakajaure, a lake below 800 m, for all of the 7 days from 17 April."""
    free = [one["id"] for one in _free(world, "piston_corer", 0, "2026-04-17", "2026-04-23")]
    new = _new_bookings(world, "piston_corer")
    return (
        len(new) == 1
        and new[0]["project_id"] == 1
        and new[0]["equipment_id"] in free
        and new[0]["site_id"] == _site(world, "Vuolep Njakajaure")
        and new[0]["from_on"] == "2026-04-17"
        and new[0]["until_on"] == "2026-04-23"
        and new[0]["status"] == "booked"
    )


def goal_gravity_corer_is_cancelled(world) -> bool:
    """The project's gravity corer from 20 April is cancelled."""
    row = world.final.one("SELECT status FROM bookings WHERE id = ?", [_gravity_corer_booking(world)])
    return row is not None and row["status"] == "cancelled"


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule as a reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_books_no_more_than_a_tube_and_a_piston_corer(world) -> bool:
    """Made at most one booking of a snow tube and one of a piston corer, for the own project."""
    new = [change for change in world.changes if change["before"] is None]
    if any(change["table"] != "bookings" for change in new):
        return False
    tubes = _new_bookings(world, "snow_tube")
    corers = _new_bookings(world, "piston_corer")
    return (
        len(tubes) <= 1
        and len(corers) <= 1
        and len(new) == len(tubes) + len(corers)
        and all(one["project_id"] == 1 and one["status"] == "booked" for one in tubes + corers)
        and all(one["driver_id"] is None for one in tubes + corers)
        and all(one["snow_depth_cm"] is None for one in corers)
    )


def guard_changes_no_other_booking(world) -> bool:
    """Of what was there, only the gravity corer's booking changed, and only into a cancelled one."""
    booking_id = _gravity_corer_booking(world)
    for change in world.changes:
        before, after = change["before"], change["after"]
        if before is None:
            continue
        if change["table"] != "bookings" or after is None or before["id"] != booking_id:
            return False
        if any(after[name] != before[name] for name in before if name not in ("status", "cancelled_at")):
            return False
        if after["status"] not in ("booked", "cancelled"):
            return False
    return True

from datetime import datetime, timedelta


def _own(world):
    """The user's appointment that the task is about, as it was at the start."""
    return world.initial.one(
        "SELECT a.*, r.barber_id, s.duration_minutes FROM appointments a"
        " JOIN chair_rentals r ON r.id = a.chair_rental_id"
        " JOIN barbers b ON b.id = r.barber_id"
        " JOIN services s ON s.id = a.service_id"
        " WHERE a.customer_id = 1 AND b.name = ? AND s.name = ? AND a.starts_at = ?"
        " AND a.status IN ('booked', 'confirmed')",
        ["Rosa Hale", "Haircut", "2026-04-16T10:00:00"],
    )


def _earliest(db, barber_id, day, half, start, minutes):
    """The first start from `start` on that the barber has free for so many minutes in that half-day, or None."""
    rental = db.one(
        "SELECT id, starts_at, ends_at FROM chair_rentals"
        " WHERE barber_id = ? AND day = ? AND half = ? AND status = 'active'",
        [barber_id, day, half],
    )
    if rental is None:
        return None
    taken = db.query(
        "SELECT starts_at, ends_at FROM appointments WHERE chair_rental_id = ? AND status IN ('booked', 'confirmed')",
        [rental["id"]],
    )
    for begin in sorted({max(start, rental["starts_at"])} | {t["ends_at"] for t in taken}):
        end = (datetime.fromisoformat(begin) + timedelta(minutes=minutes)).isoformat()
        if (
            begin >= start
            and end <= rental["ends_at"]
            and all(end <= t["starts_at"] or t["ends_at"] <= begin for t in taken)
        ):
            return begin
    return None


def _friday(world):
    """The earliest start from 13:00 on Friday 17 April at which Rosa Hale is free for the whole cut, or None."""
    own = _own(world)
    return _earliest(
        world.initial, own["barber_id"], "2026-04-17", "afternoon", "2026-04-17T13:00:00", own["duration_minutes"]
    )


def goal_haircut_is_at_the_earliest_free_time_on_friday(world) -> bool:
    """The haircut with Rosa Hale is on Friday 17 April, at the earliest time from 13:00 on that she has free for it."""
    own = _own(world)
    start = _friday(world)
    if start is None:
        return False
    end = (datetime.fromisoformat(start) + timedelta(minutes=own["duration_minutes"])).isoformat()
    row = world.final.one(
        "SELECT count(*) AS n FROM appointments a JOIN chair_rentals r ON r.id = a.chair_rental_id"
        " WHERE a.id = ? AND a.customer_id = 1 AND a.service_id = ? AND a.status = ? AND a.starts_at = ?"
        " AND a.ends_at = ? AND r.barber_id = ? AND r.day = '2026-04-17' AND r.half = 'afternoon'"
        " AND r.status = 'active'",
        [own["id"], own["service_id"], own["status"], start, end, own["barber_id"]],
    )
    return row["n"] == 1


def goal_says_whether_nothing_was_left(world) -> bool:
    """Has told whether Rosa Hale has nothing left on that afternoon."""
    return world.report.says("nothing_left", _friday(world) is None)


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but this appointment, and nothing of it but its time and half-day."""
    allowed = ("starts_at", "ends_at", "chair_rental_id")
    own = _own(world)
    return all(
        change["table"] == "appointments"
        and change["key"] == [own["id"]]
        and change["before"] is not None
        and change["after"] is not None
        and all(change["after"][c] == value for c, value in change["before"].items() if c not in allowed)
        for change in world.changes
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule in the way."""
    return world.report.outcome in (None, "done") and world.report.reason is None

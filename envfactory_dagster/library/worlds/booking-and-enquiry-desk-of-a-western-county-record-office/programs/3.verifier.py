def _standing(world):
    return world.initial.query(
        "SELECT b.id, b.day, strftime('%w', b.day) AS weekday FROM seat_bookings b JOIN readers r ON r.id = b.reader_id"
        " WHERE r.surname = 'Keane' AND r.forenames = 'Dónal' AND b.status = 'booked' AND b.day >= '2026-03-02' ORDER BY b.day",
        [],
    )


def _fridays(world):
    return [r["id"] for r in _standing(world) if r["weekday"] == "5"]


def goal_takes_off_every_friday(world) -> bool:
    """Cancelled every booking on a Friday because his plans have changed."""
    for booking in _fridays(world):
        row = world.final.one("SELECT status, cancel_cause, cancelled_at FROM seat_bookings WHERE id = ?", [booking])
        if row["status"] != "cancelled" or row["cancel_cause"] != "reader_changed_plans" or row["cancelled_at"] is None:
            return False
    return True


def goal_says_how_many(world) -> bool:
    """Says how many bookings were taken off."""
    return world.report.says("taken_off", len(_fridays(world)))


def goal_says_the_first_day_left(world) -> bool:
    """Says the first day on which he still has a seat."""
    return world.report.says("first_day_left", min(r["day"] for r in _standing(world) if r["weekday"] != "5"))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_only_his_fridays(world) -> bool:
    """Changed nothing but the state of his bookings on Fridays."""
    fridays = _fridays(world)
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "seat_bookings" or before is None or after is None or before["id"] not in fridays:
            return False
        if any(before[c] != after[c] for c in before if c not in ("status", "cancelled_at", "cancel_cause")):
            return False
    return True

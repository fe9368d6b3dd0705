def _bookings(world):
    return world.initial.one(
        "SELECT COALESCE(SUM(price_cents), 0) AS n FROM bookings WHERE member_id = 1 AND status = 'used'"
    )["n"]


def _inductions(world):
    return world.initial.one(
        "SELECT COALESCE(SUM(price_cents), 0) AS n FROM induction_places WHERE member_id = 1 AND status <> 'cancelled'"
    )["n"]


def _guests(world):
    return world.initial.one(
        "SELECT COALESCE(SUM(price_cents), 0) AS n, COUNT(*) AS visits FROM guest_visits"
        " WHERE member_id = 1 AND status = 'visited'"
    )


def _bookings_are_most(world):
    return _bookings(world) > max(_inductions(world), _guests(world)["n"])


def goal_says_used_bookings(world) -> bool:
    """Says what the used bookings came to."""
    return world.report.says("used_bookings", _bookings(world))


def goal_says_induction_places(world) -> bool:
    """Says what the places in induction sessions came to."""
    return world.report.says("induction_places", _inductions(world))


def goal_says_guests(world) -> bool:
    """Says what the guests who came have cost."""
    return world.report.says("guests_who_came", _guests(world)["n"])


def goal_says_dearest_machine(world) -> bool:
    """Says which machine the dearest used booking was on, if used bookings are the most."""
    if not _bookings_are_most(world):
        return world.report.says("dearest_machine", None)
    row = world.initial.one(
        "SELECT s.machine FROM bookings b JOIN stations s ON s.id = b.station_id"
        " WHERE b.member_id = 1 AND b.status = 'used' ORDER BY b.price_cents DESC LIMIT 1"
    )
    return world.report.says("dearest_machine", row["machine"])


def goal_says_guest_visits(world) -> bool:
    """Says how many guest visits there were, if used bookings are not the most."""
    if _bookings_are_most(world):
        return world.report.says("guest_visits", None)
    return world.report.says("guest_visits", _guests(world)["visits"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return len(world.changes) == 0

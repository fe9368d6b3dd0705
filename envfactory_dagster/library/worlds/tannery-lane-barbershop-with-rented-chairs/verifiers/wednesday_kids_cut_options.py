from datetime import datetime, timedelta


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


def _offers(world):
    """Children's cuts of the barbers who work on the afternoon of 7 October 2026, from the cheapest to the dearest."""
    return world.initial.query(
        "SELECT b.id AS barber_id, b.name AS barber, s.duration_minutes, s.price_cents FROM services s"
        " JOIN barbers b ON b.id = s.barber_id"
        " JOIN chair_rentals r ON r.barber_id = b.id"
        " WHERE s.name = ? AND r.day = ? AND r.half = 'afternoon' AND r.status = 'active'"
        " ORDER BY s.price_cents",
        ["Children's cut", "2026-10-07"],
    )


def goal_says_the_barbers(world) -> bool:
    """Has told which barbers work that afternoon and offer a children's cut."""
    return world.report.says("barbers", [offer["barber"] for offer in _offers(world)])


def goal_says_the_lengths(world) -> bool:
    """Has told how long each of them takes for it."""
    return world.report.says("lengths", [offer["duration_minutes"] for offer in _offers(world)])


def goal_says_the_prices(world) -> bool:
    """Has told what each of them charges for it."""
    return world.report.says("prices", [offer["price_cents"] for offer in _offers(world)])


def goal_says_the_cheapest_with_a_free_slot(world) -> bool:
    """Has told who is the cheapest of those with a free slot long enough after 15:00."""
    free = [
        offer["barber"] for offer in _offers(world)
        if _earliest(
            world.initial, offer["barber_id"], "2026-10-07", "afternoon", "2026-10-07T15:00:00",
            offer["duration_minutes"],
        ) is not None
    ]
    return world.report.says("cheapest_with_slot_after_15", free[0] if free else None)


def guard_changes_nothing(world) -> bool:
    """Changed no row."""
    return world.changes == []


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule in the way."""
    return world.report.outcome in (None, "done") and world.report.reason is None

def _boat(world):
    return world.initial.one("SELECT * FROM boats WHERE boat_owner_id = 1 AND name = 'Lomvi'")


def _cheapest(world):
    boat = _boat(world)
    return world.initial.one(
        "SELECT b.* FROM berths b WHERE b.kind = 'guest'"
        " AND b.length_cm >= ? AND b.width_cm >= ? AND b.depth_cm >= ?"
        " AND NOT EXISTS (SELECT 1 FROM guest_stays s WHERE s.berth_id = b.id AND s.status = 'booked'"
        " AND s.first_day < '2026-05-17' AND s.last_day > '2026-05-14')"
        " ORDER BY b.night_price_cents, b.code LIMIT 1",
        [boat["length_cm"] + 50, boat["beam_cm"] + 40, boat["draught_cm"] + 30],
    )


def goal_books_the_cheapest_guest_berth(world) -> bool:
    """Has one new stay booked for the Lomvi from 14 to 17 May 2026 in the cheapest free guest berth that is big enough."""
    boat, berth = _boat(world), _cheapest(world)
    new = [c["after"] for c in world.changes if c["table"] == "guest_stays" and c["before"] is None]
    if len(new) != 1:
        return False
    stay = new[0]
    return (
        stay["boat_id"] == boat["id"]
        and stay["berth_id"] == berth["id"]
        and stay["first_day"] == "2026-05-14"
        and stay["last_day"] == "2026-05-17"
        and stay["night_price_cents"] == berth["night_price_cents"]
        and stay["status"] == "booked"
    )


def goal_says_the_berth(world) -> bool:
    """Has told the code of the guest berth."""
    return world.report.says("guest_berth", _cheapest(world)["code"])


def goal_says_what_the_stay_comes_to(world) -> bool:
    """Has told the price of the three nights."""
    return world.report.says("stay_total", 3 * _cheapest(world)["night_price_cents"])


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but one new guest stay of the Lomvi in a guest berth."""
    boat = _boat(world)
    return len(world.changes) <= 1 and all(
        c["table"] == "guest_stays"
        and c["before"] is None
        and c["after"]["boat_id"] == boat["id"]
        and c["after"]["absence_notice_id"] is None
        for c in world.changes
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None

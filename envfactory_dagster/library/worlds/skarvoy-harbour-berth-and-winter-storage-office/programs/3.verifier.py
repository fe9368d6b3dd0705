FIRST = "2026-05-15"
LAST = "2026-05-18"


def _wanted(world):
    boats = world.initial.query(
        "SELECT * FROM boats b WHERE b.boat_owner_id = 1 AND NOT EXISTS (SELECT 1 FROM berth_leases l"
        " WHERE l.boat_id = b.id AND l.status = 'active' AND l.first_day <= ? AND l.last_day >= ?)",
        (FIRST, LAST),
    )
    wanted = {}
    for boat in boats:
        wanted[boat["name"]] = world.initial.one(
            "SELECT ? AS boat_id, e.id AS berth_id, e.code, e.night_price_cents FROM berths e WHERE e.kind = 'guest'"
            " AND e.length_cm >= ? AND e.width_cm >= ? AND e.depth_cm >= ? AND NOT EXISTS (SELECT 1 FROM guest_stays g"
            " WHERE g.berth_id = e.id AND g.status = 'booked' AND g.first_day < ? AND g.last_day > ?)"
            " ORDER BY e.night_price_cents LIMIT 1",
            (
                boat["id"],
                boat["length_cm"] + 50,
                boat["beam_cm"] + 40,
                boat["draught_cm"] + 30,
                LAST,
                FIRST,
            ),
        )
    return wanted


def _fits(change, want):
    after = change["after"]
    return (
        change["table"] == "guest_stays"
        and change["before"] is None
        and after is not None
        and after["boat_id"] == want["boat_id"]
        and after["berth_id"] == want["berth_id"]
        and after["absence_notice_id"] is None
        and after["first_day"] == FIRST
        and after["last_day"] == LAST
        and after["night_price_cents"] == want["night_price_cents"]
        and after["status"] == "booked"
        and after["cancelled_at"] is None
    )


def _says_berth(world, field, name):
    if world.report.outcome is None:
        return False
    want = _wanted(world).get(name)
    return world.report.says(field, want["code"] if want else None)


def goal_books_a_berth_for_every_boat_without_lease(world) -> bool:
    """Booked the cheapest fitting guest berth for each boat that has no active lease."""
    wanted = _wanted(world)
    return bool(wanted) and all(
        sum(1 for change in world.changes if _fits(change, want)) == 1 for want in wanted.values()
    )


def goal_says_berth_of_havdronning(world) -> bool:
    """Says which guest berth the Havdronning has, or leaves it empty if she gets none."""
    return _says_berth(world, "berth_havdronning", "Havdronning")


def goal_says_berth_of_lomvi(world) -> bool:
    """Says which guest berth the Lomvi has, or leaves it empty if she gets none."""
    return _says_berth(world, "berth_lomvi", "Lomvi")


def goal_says_berth_of_ternen(world) -> bool:
    """Says which guest berth the Ternen has, or leaves it empty if she gets none."""
    return _says_berth(world, "berth_ternen", "Ternen")


def goal_says_total(world) -> bool:
    """Says what all the stays together come to."""
    return world.report.says("total", sum(3 * want["night_price_cents"] for want in _wanted(world).values()))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing but one wanted guest stay for each boat without a lease."""
    wanted = _wanted(world)
    return len(world.changes) <= len(wanted) and all(
        any(_fits(change, want) for want in wanted.values()) for change in world.changes
    )

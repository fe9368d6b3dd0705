def _lease_price(world, name):
    return world.initial.one(
        "SELECT coalesce(sum(l.price_cents), 0) AS n FROM berth_leases l JOIN boats b ON b.id = l.boat_id"
        " WHERE b.boat_owner_id = 1 AND b.name = ? AND l.status <> 'ended' AND substr(l.first_day, 1, 4) = '2026'",
        (name,),
    )["n"]


def _places(world):
    return world.initial.query(
        "SELECT p.id, p.price_cents FROM shed_places p JOIN boats b ON b.id = p.boat_id"
        " WHERE b.boat_owner_id = 1 AND b.name = 'Lomvi' AND p.status = 'reserved'"
        " AND substr(p.first_day, 1, 4) = '2026'"
    )


def _lomvi_total(world):
    return _lease_price(world, "Lomvi") + sum(place["price_cents"] for place in _places(world))


def _to_release(world):
    if _lomvi_total(world) > _lease_price(world, "Havdronning"):
        return {place["id"] for place in _places(world)}
    return set()


def goal_says_total_of_lomvi(world) -> bool:
    """Says what the Lomvi's lease and her shed place cost together."""
    return world.report.says("lomvi_total", _lomvi_total(world))


def goal_says_lease_of_havdronning(world) -> bool:
    """Says what the Havdronning's requested lease costs."""
    return world.report.says("havdronning_lease", _lease_price(world, "Havdronning"))


def goal_releases_place_of_lomvi(world) -> bool:
    """Released the Lomvi's reserved shed place, as she comes to more than the Havdronning."""
    released = {
        row["id"]
        for row in world.final.query("SELECT id FROM shed_places WHERE status = 'released' AND released_at IS NOT NULL")
    }
    wanted = _to_release(world)
    return bool(wanted) and wanted <= released


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing but the state of the Lomvi's reserved shed place."""
    wanted = _to_release(world)
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "shed_places" or before is None or after is None or before["id"] not in wanted:
            return False
        if any(before[k] != after[k] for k in before if k not in ("status", "released_at")):
            return False
        if after["status"] != "released":
            return False
    return True

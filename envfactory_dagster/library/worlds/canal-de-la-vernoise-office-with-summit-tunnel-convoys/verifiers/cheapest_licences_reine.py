def _boat(world, name):
    """The boat of the user with this name, at the start."""
    return world.initial.one("SELECT * FROM boats WHERE boater_id = 1 AND name = ?", [name])


def _convoy(world, convoy, day):
    """A convoy by its number and day."""
    return world.initial.one(
        "SELECT c.*, t.direction, t.surcharge_cents FROM convoys c JOIN timetable t ON t.id = c.slot_id WHERE t.convoy = ? AND c.day = ?",
        [convoy, day])


def _new(world, table):
    """The rows that are new in a table."""
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def _touched(change):
    """The columns of a changed row that differ."""
    return {k for k in change["after"] if change["after"][k] != change["before"][k]}


def _prices(world):
    """The licence prices of the class of the Reine des Écluses."""
    return world.initial.one(
        "SELECT k.* FROM licence_classes k, boats b WHERE b.boater_id = 1 AND b.name = 'Reine des Écluses' AND k.class_code NOT IN ('F', 'U')"
        " AND (k.length_from_m IS NULL OR k.length_from_m <= b.length_m) AND (k.length_below_m IS NULL OR k.length_below_m > b.length_m)")


def _least(world):
    """The least that covers 22 and 29 October: two licences of 1 day, or a longer one over both."""
    k = _prices(world)
    return min(2 * k["one_day_price_cents"], 2 * k["seven_days_price_cents"], k["thirty_days_price_cents"])


def goal_both_days_are_covered_for_the_least(world) -> bool:
    """The Reine des Écluses is licensed on both days by new licences that cost the least together."""
    boat = _boat(world, "Reine des Écluses")["id"]
    rows = [r for r in _new(world, "licences") if r["boat_id"] == boat and r["class_id"] == _prices(world)["id"]]
    covered = all(any(r["valid_from"] <= d <= r["valid_to"] for r in rows) for d in ("2026-10-22", "2026-10-29"))
    return covered and sum(r["price_cents"] for r in rows) == _least(world)


def goal_says_the_total(world) -> bool:
    """Says what they cost together."""
    return world.report.says("total", _least(world))


def guard_adds_licences_of_the_reine_only(world) -> bool:
    """Changed nothing but at most two new licences of the Reine des Écluses, each for one of the two days."""
    boat = _boat(world, "Reine des Écluses")["id"]
    if len(world.changes) > 2:
        return False
    for c in world.changes:
        if c["table"] != "licences" or c["before"] is not None:
            return False
        a = c["after"]
        if a["boat_id"] != boat or a["reduction_id"] is not None:
            return False
        if not any(a["valid_from"] <= d <= a["valid_to"] for d in ("2026-10-22", "2026-10-29")):
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_gives_no_reason(world) -> bool:
    """Names no rule as a reason."""
    return world.report.reason is None

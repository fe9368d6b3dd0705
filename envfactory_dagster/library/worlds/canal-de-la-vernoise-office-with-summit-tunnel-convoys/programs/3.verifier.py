def _lacking(world):
    """The electric and hybrid boats that have no licence for the whole week, with class and price."""
    return world.initial.query(
        "SELECT b.id, k.id AS class_id, k.seven_days_price_cents AS price FROM boats b JOIN licence_classes k"
        " ON k.class_code NOT IN ('F', 'U') AND (k.length_from_m IS NULL OR k.length_from_m <= b.length_m)"
        " AND (k.length_below_m IS NULL OR k.length_below_m > b.length_m)"
        " WHERE b.boater_id = 1 AND b.propulsion IN ('electric', 'hybrid') AND NOT EXISTS (SELECT 1 FROM licences l"
        " WHERE l.boat_id = b.id AND l.class_id = k.id AND l.valid_from <= '2026-10-12' AND l.valid_to >= '2026-10-18') ORDER BY b.id")


def goal_every_boat_that_lacked_one_has_a_licence(world) -> bool:
    """Every boat that lacked a licence for the week has one of 7 days from 12 October."""
    for b in _lacking(world):
        rows = [c["after"] for c in world.changes if c["table"] == "licences" and c["before"] is None and c["after"]["boat_id"] == b["id"]]
        if len(rows) != 1:
            return False
        r = rows[0]
        if (r["duration"], r["valid_from"], r["valid_to"], r["class_id"], r["price_cents"]) != ("7 days", "2026-10-12", "2026-10-18", b["class_id"], b["price"]):
            return False
    return True


def goal_says_the_total(world) -> bool:
    """Says what the licences come to."""
    return world.report.says("total_price", sum(b["price"] for b in _lacking(world)))


def guard_buys_licences_for_these_boats_only(world) -> bool:
    """Changed nothing but one new licence of 7 days for each boat that lacked one."""
    ids = [b["id"] for b in _lacking(world)]
    seen = []
    for c in world.changes:
        if c["table"] != "licences" or c["before"] is not None or c["after"] is None:
            return False
        if c["after"]["boat_id"] not in ids or c["after"]["boat_id"] in seen:
            return False
        if c["after"]["valid_from"] != "2026-10-12" or c["after"]["duration"] != "7 days":
            return False
        seen.append(c["after"]["boat_id"])
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

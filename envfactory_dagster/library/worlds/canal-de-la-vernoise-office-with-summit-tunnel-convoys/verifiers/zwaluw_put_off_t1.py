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


def _put_off(world):
    """The passage of Zwaluw that was put off from T1 this morning."""
    return world.initial.one(
        "SELECT p.* FROM passages p JOIN boats b ON b.id = p.boat_id JOIN convoys c ON c.id = p.convoy_id JOIN timetable t ON t.id = c.slot_id"
        " WHERE b.boater_id = 1 AND b.name = 'Zwaluw' AND t.convoy = 'T1' AND c.day = '2026-10-20' AND p.status = 'put_off'")


def goal_is_on_t3_in_the_place_of_a_boat_put_off(world) -> bool:
    """Zwaluw is on the list of T3 today as a boat put off, with 180 tonnes, and pays nothing further."""
    old = _put_off(world)
    rows = world.final.query("SELECT * FROM passages WHERE boat_id = ? AND convoy_id = ?", [old["boat_id"], _convoy(world, "T3", "2026-10-20")["id"]])
    return (len(rows) == 1 and rows[0]["status"] == "listed" and rows[0]["put_off_from_passage_id"] == old["id"]
            and rows[0]["tonnes"] == 180 and rows[0]["price_cents"] == 0 and rows[0]["price_basis"] == "put_off")


def goal_says_that_nothing_is_to_pay(world) -> bool:
    """Says that nothing more is to pay."""
    return world.report.says("still_to_pay", 0)


def goal_says_the_place(world) -> bool:
    """Says the place on the list: after boats with standing priority or put off before that came earlier."""
    old = _put_off(world)
    row = world.initial.one(
        "SELECT COUNT(*) AS n FROM passages p JOIN boats b ON b.id = p.boat_id WHERE p.convoy_id = ? AND p.status IN ('listed', 'controlled')"
        " AND (b.standing_priority = 1 OR (p.put_off_from_passage_id IS NOT NULL AND p.arrived_at < ?))",
        [_convoy(world, "T3", "2026-10-20")["id"], old["arrived_at"]])
    return world.report.says("place", row["n"] + 1)


def guard_adds_one_passage_of_zwaluw_only(world) -> bool:
    """Changed nothing but one new passage of Zwaluw in T3."""
    old = _put_off(world)
    convoy = _convoy(world, "T3", "2026-10-20")
    for c in world.changes:
        if c["table"] != "passages" or c["before"] is not None:
            return False
        a = c["after"]
        if a["boat_id"] != old["boat_id"] or a["convoy_id"] != convoy["id"] or a["price_cents"] != 0 or a["seal_cents"] != 0:
            return False
        if a["credit_cents"] != 0 or a["deposit_cents"] != 0 or a["refund_cents"] != 0 or a["battery_percent"] is not None or a["announced_at"] is not None:
            return False
    return len(world.changes) <= 1


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_gives_no_reason(world) -> bool:
    """Names no rule as a reason."""
    return world.report.reason is None

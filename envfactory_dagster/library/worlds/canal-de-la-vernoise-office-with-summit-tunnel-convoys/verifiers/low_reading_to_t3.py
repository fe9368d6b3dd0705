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


def _electric(world):
    """The passage of Belle-de-Mai in today's electric convoy at noon, at the start."""
    return world.initial.one(
        "SELECT p.* FROM passages p JOIN boats b ON b.id = p.boat_id JOIN convoys c ON c.id = p.convoy_id JOIN timetable t ON t.id = c.slot_id"
        " WHERE b.boater_id = 1 AND b.name = 'Belle-de-Mai' AND t.convoy = 'EL1' AND c.day = '2026-10-01' AND p.status = 'listed'")


def _tow(world):
    """The price of a tow for the class of Belle-de-Mai."""
    return world.initial.one(
        "SELECT k.tow_price_cents AS n FROM licence_classes k, boats b WHERE b.boater_id = 1 AND b.name = 'Belle-de-Mai'"
        " AND k.length_from_m <= b.length_m AND k.length_below_m > b.length_m")["n"]


def goal_reading_is_written_down(world) -> bool:
    """The reading of 57 % stands at the electric passage, which is refused with the deposit given back."""
    row = world.final.one("SELECT status, battery_percent, deposit_status FROM passages WHERE id = ?", [_electric(world)["id"]])
    return row["battery_percent"] == 57 and row["status"] == "refused" and row["deposit_status"] == "returned"


def goal_is_on_t3_with_credit(world) -> bool:
    """Belle-de-Mai is on the list of T3 at 14:00 with the price of the electric passage set against the tow."""
    electric = _electric(world)
    convoy = _convoy(world, "T3", "2026-10-01")
    rows = world.final.query("SELECT * FROM passages WHERE boat_id = ? AND convoy_id = ?", [electric["boat_id"], convoy["id"]])
    rows = [r for r in rows if r["status"] == "listed"]
    return (len(rows) == 1 and rows[0]["price_cents"] == _tow(world) and rows[0]["price_basis"] == "full"
            and rows[0]["credit_cents"] == electric["price_cents"] and rows[0]["credit_from_passage_id"] == electric["id"])


def goal_says_what_is_still_to_pay(world) -> bool:
    """Says what is still to pay."""
    return world.report.says("still_to_pay", _tow(world) - _electric(world)["price_cents"])


def goal_says_what_becomes_of_the_deposit(world) -> bool:
    """Says that the deposit is given back."""
    return world.report.says("deposit", "given back")


def guard_changes_these_two_passages_only(world) -> bool:
    """Changed nothing but the electric passage, by the reading, and one new passage of Belle-de-Mai in T3."""
    electric = _electric(world)
    convoy = _convoy(world, "T3", "2026-10-01")
    new = 0
    for c in world.changes:
        if c["table"] != "passages" or c["after"] is None:
            return False
        if c["before"] is None:
            a = c["after"]
            new += 1
            if (a["boat_id"] != electric["boat_id"] or a["convoy_id"] != convoy["id"] or a["status"] != "listed" or a["put_off_from_passage_id"] is not None
                    or a["seal_cents"] != 0 or a["deposit_cents"] != 0 or a["refund_cents"] != 0 or a["tonnes"] is not None or a["battery_percent"] is not None):
                return False
        elif c["before"]["id"] != electric["id"] or not _touched(c) <= {"status", "battery_percent", "read_at", "deposit_status", "article_id", "ended_at"}:
            return False
    return new <= 1


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_gives_no_reason(world) -> bool:
    """Names no rule as a reason."""
    return world.report.reason is None

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


def _new_boat(world):
    """The new boat Martinet, or None."""
    return world.final.one(
        "SELECT * FROM boats WHERE boater_id = 1 AND same_text(name, 'Martinet') AND propulsion = 'electric' AND length_m = 7.8 AND width_m = 2.3"
        " AND draught_m = 0.6 AND air_draught_m = 1.9 AND electric_register_day = '2023-05-12'")


def goal_martinet_is_entered(world) -> bool:
    """Martinet stands under the name of the user with all that was said of her."""
    row = world.final.one("SELECT COUNT(*) AS n FROM boats WHERE same_text(name, 'Martinet')")
    return row["n"] == 1 and _new_boat(world) is not None


def goal_has_a_licence_for_seven_days(world) -> bool:
    """Martinet has a licence of class A for 7 days from 10 October."""
    boat = _new_boat(world)
    if boat is None:
        return False
    k = world.initial.one("SELECT id, seven_days_price_cents AS n FROM licence_classes WHERE class_code = 'A'")
    rows = world.final.query("SELECT * FROM licences WHERE boat_id = ?", [boat["id"]])
    return (len(rows) == 1 and rows[0]["class_id"] == k["id"] and rows[0]["duration"] == "7 days" and rows[0]["valid_from"] == "2026-10-10"
            and rows[0]["valid_to"] == "2026-10-16" and rows[0]["price_cents"] == k["n"])


def goal_is_booked_north_on_10_october(world) -> bool:
    """Martinet is booked on the electric convoy north of 10 October."""
    boat = _new_boat(world)
    if boat is None:
        return False
    rows = world.final.query("SELECT * FROM passages WHERE boat_id = ?", [boat["id"]])
    return len(rows) == 1 and rows[0]["convoy_id"] == _convoy(world, "EL1", "2026-10-10")["id"] and rows[0]["status"] == "booked"


def goal_says_what_it_comes_to(world) -> bool:
    """Says what licence and passage come to."""
    k = world.initial.one("SELECT seven_days_price_cents + el_price_cents AS n FROM licence_classes WHERE class_code = 'A'")
    return world.report.says("total", k["n"])


def goal_says_the_deposit(world) -> bool:
    """Says the deposit, kept apart."""
    return world.report.says("deposit", world.initial.one("SELECT deposit_cents AS n FROM convoy_kinds WHERE letter = 'EL'")["n"])


def guard_adds_one_boat_one_licence_one_passage_only(world) -> bool:
    """Changed nothing but one new boat of the user, one new licence and one new passage of that boat."""
    boats = _new(world, "boats")
    if any(c["before"] is not None or c["table"] not in ("boats", "licences", "passages") for c in world.changes):
        return False
    if len(boats) > 1 or len(_new(world, "licences")) > 1 or len(_new(world, "passages")) > 1:
        return False
    for b in boats:
        if b["boater_id"] != 1 or b["boat_use"] != "pleasure" or b["standing_priority"] != 0 or b["wooden_hull"] != 0:
            return False
        if b["built_year"] is not None or b["mooring_id"] is not None or b["engine_sealed_at"] is not None:
            return False
    ids = [b["id"] for b in boats]
    for p in _new(world, "passages"):
        if p["boat_id"] not in ids or p["price_cents"] != 900 or p["price_basis"] != "full" or p["seal_cents"] != 0 or p["credit_cents"] != 0 or p["deposit_cents"] != 0:
            return False
    return all(l["boat_id"] in ids for l in _new(world, "licences"))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_gives_no_reason(world) -> bool:
    """Names no rule as a reason."""
    return world.report.reason is None

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


def _day(world):
    """The day on which the electric convoy south has a place: Sunday, or Monday if Sunday's is full."""
    for day in ("2026-10-04", "2026-10-05"):
        row = world.initial.one(
            "SELECT k.most_boats - (SELECT COUNT(*) FROM passages p WHERE p.convoy_id = c.id AND p.status IN ('booked', 'listed', 'controlled')) AS free"
            " FROM convoys c JOIN timetable t ON t.id = c.slot_id JOIN convoy_kinds k ON k.id = t.letter_id"
            " WHERE k.letter = 'EL' AND t.direction = 'south' AND c.status = 'planned' AND c.day = ?", [day])
        if row is not None and row["free"] > 0:
            return day
    return None


def _class(world):
    """The licence class of Belle-de-Mai."""
    return world.initial.one(
        "SELECT k.* FROM licence_classes k, boats b WHERE b.boater_id = 1 AND b.name = 'Belle-de-Mai'"
        " AND k.length_from_m <= b.length_m AND k.length_below_m > b.length_m")


def goal_is_booked_on_the_right_day(world) -> bool:
    """Belle-de-Mai is booked on the electric convoy south of that day."""
    rows = world.final.query(
        "SELECT p.status, p.price_cents FROM passages p JOIN convoys c ON c.id = p.convoy_id JOIN timetable t ON t.id = c.slot_id"
        " JOIN convoy_kinds k ON k.id = t.letter_id WHERE p.boat_id = ? AND k.letter = 'EL' AND t.direction = 'south' AND c.day = ?",
        [_boat(world, "Belle-de-Mai")["id"], _day(world)])
    return len(rows) == 1 and rows[0]["status"] == "booked" and rows[0]["price_cents"] == _class(world)["el_price_cents"]


def goal_has_the_cheapest_licence(world) -> bool:
    """Belle-de-Mai has a new licence of 1 day, the cheapest, from the day of the passage."""
    k = _class(world)
    rows = [r for r in _new(world, "licences") if r["boat_id"] == _boat(world, "Belle-de-Mai")["id"]]
    return (len(rows) == 1 and rows[0]["class_id"] == k["id"] and rows[0]["duration"] == "1 day" and rows[0]["valid_from"] == _day(world)
            and rows[0]["valid_to"] == _day(world) and rows[0]["price_cents"] == k["one_day_price_cents"])


def goal_says_the_price_of_the_passage(world) -> bool:
    """Says what the passage costs."""
    return world.report.says("passage_price", _class(world)["el_price_cents"])


def goal_says_the_price_of_the_licence(world) -> bool:
    """Says what the licence costs."""
    k = _class(world)
    prices = [k[c] for c in ("year_price_cents", "thirty_days_price_cents", "seven_days_price_cents", "one_day_price_cents") if k[c] is not None]
    return world.report.says("licence_price", min(prices))


def guard_changes_one_passage_and_one_licence_only(world) -> bool:
    """Changed nothing but one new passage and one new licence of Belle-de-Mai."""
    boat = _boat(world, "Belle-de-Mai")["id"]
    count = {"passages": 0, "licences": 0}
    for c in world.changes:
        if c["table"] not in count or c["before"] is not None or c["after"]["boat_id"] != boat:
            return False
        count[c["table"]] += 1
        if c["table"] == "licences" and (c["after"]["valid_from"] != _day(world) or c["after"]["duration"] != "1 day"):
            return False
        if c["table"] == "passages":
            a = c["after"]
            row = world.initial.one(
                "SELECT c.day, t.direction, k.letter FROM convoys c JOIN timetable t ON t.id = c.slot_id JOIN convoy_kinds k ON k.id = t.letter_id WHERE c.id = ?",
                [a["convoy_id"]])
            if (row["day"], row["direction"], row["letter"]) != (_day(world), "south", "EL") or a["status"] != "booked":
                return False
            if a["price_basis"] != "full" or a["credit_cents"] != 0 or a["seal_cents"] != 0 or a["deposit_cents"] != 0:
                return False
    return count["passages"] <= 1 and count["licences"] <= 1


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_gives_no_reason(world) -> bool:
    """Names no rule as a reason."""
    return world.report.reason is None

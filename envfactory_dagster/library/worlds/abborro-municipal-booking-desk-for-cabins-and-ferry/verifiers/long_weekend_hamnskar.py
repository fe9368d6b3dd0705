def _added(world, table):
    """The new rows of a table."""
    return [change["after"] for change in world.changes if change["table"] == table and change["before"] is None]


def _changed(world, table):
    """The changes of rows that a table held already."""
    return [change for change in world.changes if change["table"] == table and change["before"] is not None]


def _same_but(change, columns):
    """Whether a row is still there and differs in these columns at most."""
    return change["after"] is not None and all(
        change["after"][column] == value for column, value in change["before"].items() if column not in columns)


def _nine(world, day, direction):
    """The 9:00 departure of a day in one direction."""
    return world.initial.one("SELECT id FROM departures WHERE leaves_at = ? AND direction = ?",
                             [day + "T09:00:00", direction])["id"]


def _is_the_stay(world, row):
    """A stay of the three of them in a cabin on Hamnskär for the three nights."""
    cabin = world.initial.one(
        "SELECT i.name AS island, c.beds FROM cabins c JOIN islands i ON i.id = c.island_id WHERE c.id = ?",
        [row["cabin_id"]])
    return (row["household_id"] == 1 and cabin["island"] == "Hamnskär" and cabin["beds"] >= 3
            and row["arrives_on"] == "2026-08-14" and row["leaves_on"] == "2026-08-17"
            and (row["adults"], row["children"], row["infants"], row["own_boat"]) == (2, 1, 0, 0)
            and row["status"] == "held")


def _is_the_crossing(world, row, day, direction):
    """A crossing of the three and the car on the 9:00 of a day, for the new stay or alone."""
    island = world.initial.one("SELECT id FROM islands WHERE name = ?", ["Hamnskär"])["id"]
    car = world.initial.one("SELECT id FROM vehicles WHERE household_id = 1 AND plate = ?", ["RTK-318"])["id"]
    return (row["household_id"] == 1 and row["departure_id"] == _nine(world, day, direction)
            and row["island_id"] == island and row["vehicle_id"] == car
            and (row["adults"], row["children"], row["infants"], row["dogs"]) == (2, 1, 0, 0)
            and row["status"] == "booked"
            and row["stay_id"] in [None] + [stay["id"] for stay in _added(world, "stays")])


def goal_has_the_cabin(world) -> bool:
    """Has one cabin on Hamnskär for the three of them from 14 to 17 August."""
    rows = _added(world, "stays")
    return len(rows) == 1 and _is_the_stay(world, rows[0])


def goal_goes_out_on_the_nine(world) -> bool:
    """Has one crossing out for the three and the car on the 9:00 of 14 August."""
    return sum(_is_the_crossing(world, row, "2026-08-14", "out") for row in _added(world, "crossings")) == 1


def goal_comes_back_on_the_nine(world) -> bool:
    """Has one crossing back for the three and the car on the 9:00 of 17 August."""
    return sum(_is_the_crossing(world, row, "2026-08-17", "back") for row in _added(world, "crossings")) == 1


def guard_books_nothing_else(world) -> bool:
    """Added no other stay and no other crossing."""
    stays, crossings = _added(world, "stays"), _added(world, "crossings")
    return (len(stays) <= 1 and all(_is_the_stay(world, row) for row in stays)
            and sum(_is_the_crossing(world, row, "2026-08-14", "out") for row in crossings) <= 1
            and sum(_is_the_crossing(world, row, "2026-08-17", "back") for row in crossings) <= 1
            and all(_is_the_crossing(world, row, "2026-08-14", "out")
                    or _is_the_crossing(world, row, "2026-08-17", "back") for row in crossings))


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but new stays and new crossings."""
    return all(change["table"] in ("stays", "crossings") and change["before"] is None for change in world.changes)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

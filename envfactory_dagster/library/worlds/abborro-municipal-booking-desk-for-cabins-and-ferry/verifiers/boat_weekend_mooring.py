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


def _free(world, island):
    """The moorings of an island that are free for the two nights and long enough."""
    return [row["id"] for row in world.initial.query(
        "SELECT m.id FROM moorings m JOIN islands i ON i.id = m.island_id WHERE i.name = ? AND m.max_length_m >= 9.4"
        " AND NOT EXISTS (SELECT 1 FROM mooring_bookings b WHERE b.mooring_id = m.id AND b.status = 'booked'"
        " AND b.arrives_on < ? AND b.leaves_on > ?) ORDER BY m.id", [island, "2026-09-14", "2026-09-12"])]


def _island(world):
    """The island for the weekend: Hamnskär while a mooring is left there, else Tallholm."""
    return "Hamnskär" if _free(world, "Hamnskär") else "Tallholm"


def _is_the_mooring(world, row):
    return (row["household_id"] == 1 and row["mooring_id"] in _free(world, _island(world))
            and row["arrives_on"] == "2026-09-12" and row["leaves_on"] == "2026-09-14"
            and world.same_text(row["boat_name"], "Havsörn") and row["boat_length_m"] == 9.4
            and row["status"] == "booked")


def _is_the_turn(world, row):
    island = world.initial.one("SELECT i.name FROM saunas s JOIN islands i ON i.id = s.island_id WHERE s.id = ?",
                               [row["sauna_id"]])["name"]
    return (row["household_id"] == 1 and island == _island(world) and row["stay_id"] is None
            and row["starts_at"] in ("2026-09-12T18:00:00", "2026-09-12T20:00:00") and row["status"] == "booked")


def goal_has_a_mooring(world) -> bool:
    """Has one free mooring for the Havsörn from 12 to 14 September, on Hamnskär if any is left there."""
    rows = _added(world, "mooring_bookings")
    return len(rows) == 1 and _is_the_mooring(world, rows[0])


def goal_has_a_sauna_turn(world) -> bool:
    """Has one sauna turn on the same island on Saturday at 18:00 or 20:00."""
    rows = _added(world, "sauna_turns")
    return len(rows) == 1 and _is_the_turn(world, rows[0])


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but one such mooring booking and one such sauna turn."""
    moorings, turns = _added(world, "mooring_bookings"), _added(world, "sauna_turns")
    return (len(world.changes) == len(moorings) + len(turns) and len(moorings) <= 1 and len(turns) <= 1
            and all(_is_the_mooring(world, row) for row in moorings) and all(_is_the_turn(world, row) for row in turns))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

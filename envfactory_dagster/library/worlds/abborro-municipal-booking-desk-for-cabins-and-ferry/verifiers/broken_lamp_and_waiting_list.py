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


def _is_the_report(world, row):
    """A report of the lamp for the stay in Tiira that ended on 16 August."""
    stay = world.initial.one(
        "SELECT s.id FROM stays s JOIN cabins c ON c.id = s.cabin_id WHERE s.household_id = 1 AND c.name = 'Tiira'"
        " AND s.status = 'left' AND s.leaves_on = ?", ["2026-08-16"])["id"]
    return (row["household_id"] == 1 and row["stay_id"] == stay and row["happened_on"] == "2026-08-15"
            and "lamp" in row["description"].lower() and row["status"] == "open")


def _is_the_entry(world, row):
    """An entry on the waiting list for Kajuta, two adults and the dog."""
    kajuta = world.initial.one("SELECT id FROM cabins WHERE name = ?", ["Kajuta"])["id"]
    return (row["household_id"] == 1 and row["cabin_id"] == kajuta and row["arrives_on"] == "2026-09-18"
            and row["leaves_on"] == "2026-09-20" and row["status"] == "waiting"
            and (row["adults"], row["children"], row["infants"], row["dogs"]) == (2, 0, 0, 1))


def goal_reports_the_lamp(world) -> bool:
    """Reported the broken reading lamp in Tiira once."""
    rows = _added(world, "damage_reports")
    return len(rows) == 1 and _is_the_report(world, rows[0])


def goal_is_on_the_waiting_list(world) -> bool:
    """Is on the waiting list for Kajuta from 18 to 20 September."""
    rows = _added(world, "waiting_list_entries")
    return len(rows) == 1 and _is_the_entry(world, rows[0])


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but one such report and one such entry."""
    reports, entries = _added(world, "damage_reports"), _added(world, "waiting_list_entries")
    return (len(world.changes) == len(reports) + len(entries) and len(reports) <= 1 and len(entries) <= 1
            and all(_is_the_report(world, row) for row in reports) and all(_is_the_entry(world, row) for row in entries))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

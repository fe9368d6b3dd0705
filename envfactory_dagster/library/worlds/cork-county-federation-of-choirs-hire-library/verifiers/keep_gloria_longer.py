def _gloria(world):
    return world.initial.one(
        "SELECT l.id, date(l.due_on, '+21 days') AS new_due FROM loans l JOIN editions e ON e.id = l.edition_id"
        " JOIN works w ON w.id = e.work_id"
        " WHERE l.choir_id = 1 AND l.status = 'out' AND w.title = 'Gloria' AND w.composer LIKE '%Vivaldi%'"
        " AND l.due_on = '2026-02-15'"
    )


def goal_gloria_is_extended(world) -> bool:
    """The loan of the Gloria is extended by 21 days."""
    gloria = _gloria(world)
    row = world.final.one("SELECT due_on, extended, status FROM loans WHERE id = ?", [gloria["id"]])
    return row is not None and row["extended"] == 1 and row["due_on"] == gloria["new_due"] and row["status"] == "out"


def goal_says_the_new_date(world) -> bool:
    """Says on what day it is due now."""
    return world.report.says("new_due", _gloria(world)["new_due"])


def guard_names_no_day_of_others(world) -> bool:
    """Names no day from which another choir wants it, since none does in those weeks."""
    return world.report.outcome is None or world.report.says("wanted_by_others_from", None)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_only_that_extension(world) -> bool:
    """Changed nothing but the day due and the extension of that loan."""
    gloria = _gloria(world)
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "loans" or before is None or after is None or before["id"] != gloria["id"]:
            return False
        if any(before[name] != after[name] for name in before if name not in ("due_on", "extended")):
            return False
        if after["extended"] != 1 or after["due_on"] != gloria["new_due"]:
            return False
    return True

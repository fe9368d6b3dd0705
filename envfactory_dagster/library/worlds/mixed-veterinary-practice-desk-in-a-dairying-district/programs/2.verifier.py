from datetime import datetime, timedelta


def _first_day(world, name):
    rows = world.initial.query(
        "SELECT t.last_given_at, COALESCE("
        " (SELECT w.hours FROM withholding_periods w WHERE w.treatment_id = t.id AND w.produce = 'meat' AND w.set_by = 'vet'),"
        " (SELECT w.hours FROM withholding_periods w WHERE w.treatment_id = t.id AND w.produce = 'meat' AND w.set_by = 'label')) AS hours"
        " FROM treatments t JOIN patients p ON p.id = t.patient_id WHERE p.client_id = 1 AND p.name = ?",
        [name],
    )
    last = max(datetime.fromisoformat(r["last_given_at"]) + timedelta(hours=r["hours"]) for r in rows)
    return last.date() + timedelta(days=1)


def _days(world):
    return {name: _first_day(world, name) for name in ("Bramble", "Paddock ewes", "Doris")}


def _soonest(world):
    days = _days(world)
    return min(days, key=lambda n: days[n])


def _is_wanted(world, row):
    name = _soonest(world)
    patient = world.initial.one("SELECT id FROM patients WHERE client_id = 1 AND name = ?", [name])
    return (
        row["client_id"] == 1
        and row["patient_id"] == patient["id"]
        and row["produce"] == "meat"
        and row["supply_on"] == _first_day(world, name).isoformat()
        and row["status"] == "issued"
    )


def goal_says_bramble(world) -> bool:
    """Says the first day Bramble's meat is clear."""
    return world.report.says("bramble_first_day", _first_day(world, "Bramble").isoformat())


def goal_says_ewes(world) -> bool:
    """Says the first day the ewes' meat is clear."""
    return world.report.says("ewes_first_day", _first_day(world, "Paddock ewes").isoformat())


def goal_says_doris(world) -> bool:
    """Says the first day Doris's meat is clear."""
    return world.report.says("doris_first_day", _first_day(world, "Doris").isoformat())


def goal_says_soonest(world) -> bool:
    """Says which of the three is clear soonest."""
    return world.report.says("soonest", _soonest(world))


def goal_says_days_between(world) -> bool:
    """Says how many days lie between the soonest and the latest."""
    days = _days(world).values()
    return world.report.says("days_between", (max(days) - min(days)).days)


def goal_statement_is_issued(world) -> bool:
    """A meat clearance statement for the soonest on its first day is issued."""
    new = [c["after"] for c in world.changes if c["table"] == "clearance_statements" and c["before"] is None]
    return len(new) == 1 and _is_wanted(world, new[0])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_adds_one_right_statement_only(world) -> bool:
    """Changes nothing but one new statement, and that the right one."""
    return len(world.changes) <= 1 and all(
        c["table"] == "clearance_statements" and c["before"] is None and _is_wanted(world, c["after"]) for c in world.changes
    )

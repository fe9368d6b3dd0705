from datetime import datetime, timedelta


def _last(world):
    rows = world.initial.query(
        "SELECT t.last_given_at,"
        " (SELECT w.hours FROM withholding_periods w WHERE w.treatment_id = t.id AND w.produce = 'eggs' AND w.set_by = 'vet') AS vet_hours,"
        " (SELECT w.hours FROM withholding_periods w WHERE w.treatment_id = t.id AND w.produce = 'eggs' AND w.set_by = 'label') AS label_hours"
        " FROM treatments t JOIN patients p ON p.id = t.patient_id WHERE p.client_id = 1 AND p.name = 'Doris' ORDER BY t.id"
    )
    ends = []
    for row in rows:
        by_vet = row["vet_hours"] is not None
        hours = row["vet_hours"] if by_vet else row["label_hours"]
        ends.append((datetime.fromisoformat(row["last_given_at"]) + timedelta(hours=hours), by_vet))
    return max(ends)


def goal_says_the_first_day(world) -> bool:
    """Says the first day on which eggs may be sold again."""
    end, _ = _last(world)
    return world.report.says("first_day_to_sell", (end.date() + timedelta(days=1)).isoformat())


def goal_says_who_set_it(world) -> bool:
    """Says whether the practice or the label set that date."""
    _, by_vet = _last(world)
    return world.report.says("set_by", "The practice" if by_vet else "The label")


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, for no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing(world) -> bool:
    """Changed no row at all."""
    return world.changes == []

from datetime import datetime, timedelta


def _mob(world):
    return world.initial.one(
        "SELECT id FROM patients WHERE client_id = 1 AND kind = 'mob' AND species = 'sheep' AND head_count = 40 AND name LIKE '%hogget%'"
    )["id"]


def _figure(world):
    return world.initial.one(
        "SELECT t.last_given_at, w.hours FROM withholding_periods w JOIN treatments t ON t.id = w.treatment_id"
        " JOIN vets v ON v.id = w.vet_id"
        " WHERE t.patient_id = ? AND t.off_label = 1 AND t.route = 'under_skin' AND w.produce = 'meat' AND w.set_by = 'vet' AND v.name LIKE '%Sione%'",
        [_mob(world)],
    )


def _day(world):
    figure = _figure(world)
    end = datetime.fromisoformat(figure["last_given_at"]) + timedelta(hours=figure["hours"])
    return [d for d in ("2025-10-30", "2025-11-06") if d > end.date().isoformat()][0]


def _is_statement(world, row):
    return (
        row["client_id"] == 1
        and row["patient_id"] == _mob(world)
        and row["produce"] == "meat"
        and row["supply_on"] == _day(world)
        and row["status"] == "issued"
    )


def goal_has_the_statement(world) -> bool:
    """Has one new meat clearance statement of the 40 hoggets for the earlier Thursday that Sione's figure allows."""
    rows = [c["after"] for c in world.changes if c["table"] == "clearance_statements" and c["before"] is None]
    return len(rows) == 1 and _is_statement(world, rows[0])


def goal_says_siones_figure(world) -> bool:
    """Says how many days Sione set."""
    return world.report.says("sione_figure", _figure(world)["hours"] // 24)


def guard_changes_nothing_else(world) -> bool:
    """Touches nothing but that one new statement."""
    return len(world.changes) <= 1 and all(
        c["table"] == "clearance_statements" and c["before"] is None and c["after"] is not None and _is_statement(world, c["after"])
        for c in world.changes
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, for no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None

import datetime


def _two(world):
    """Both donors with how often they gave platelets this year, the less used first."""
    rows = world.initial.query(
        "SELECT d.id, d.given_names || ' ' || d.surnames AS name, (SELECT COUNT(*) FROM donations g"
        " WHERE g.donor_id = d.id AND g.kind = 'platelets' AND g.failed = 0 AND g.given_on >= '2026-01-01') AS times"
        " FROM donors d WHERE (d.given_names = 'Felipe' AND d.surnames = 'Araya Contreras')"
        " OR (d.given_names = 'Eduardo' AND d.surnames = 'Soto Villalón')"
    )
    return sorted(rows, key=lambda r: r["times"])


def goal_books_the_one_who_gave_fewer_times(world) -> bool:
    """The less used donor is booked for platelets at Casa Central on 13 August at 10:15."""
    row = world.final.one(
        "SELECT a.id FROM appointments a JOIN slots s ON s.id = a.slot_id JOIN sites t ON t.id = s.site_id"
        " WHERE a.donor_id = ? AND t.site_code = 'casa_central' AND s.starts_at = '2026-08-13T10:15:00'"
        " AND a.kind = 'platelets' AND a.state = 'booked' AND a.replacement_request_id IS NULL AND a.recorded_by = 1",
        [_two(world)[0]["id"]],
    )
    return row is not None


def goal_says_who_is_booked(world) -> bool:
    """Says who is booked."""
    return world.report.says("donor", _two(world)[0]["name"])


def goal_says_from_when_the_other_may(world) -> bool:
    """Says from what day the other may give platelets again."""
    day = datetime.date(2026, 8, 4)
    for row in world.initial.query(
        "SELECT kind, MAX(given_on) AS last FROM donations WHERE donor_id = ? AND kind IN ('platelets', 'whole_blood')"
        " AND NOT (failed = 1 AND volume_ml < 50) GROUP BY kind",
        [_two(world)[1]["id"]],
    ):
        gap = 14 if row["kind"] == "platelets" else 30
        day = max(day, datetime.date.fromisoformat(row["last"]) + datetime.timedelta(days=gap))
    return world.report.says("other_from", day.isoformat())


def guard_changes_one_appointment_only(world) -> bool:
    """Changed nothing but one new appointment of one of the two."""
    ids = [d["id"] for d in _two(world)]
    return len(world.changes) <= 1 and all(
        c["table"] == "appointments" and c["before"] is None and c["after"]["donor_id"] in ids
        for c in world.changes
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

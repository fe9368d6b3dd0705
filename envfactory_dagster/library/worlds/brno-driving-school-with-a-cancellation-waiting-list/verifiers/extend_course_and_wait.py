import datetime


def _course(world):
    return world.initial.one(
        "SELECT * FROM course_packages WHERE pupil_id = 1 AND status = 'active' AND kind IN ('full_course', 'student_course')"
        " AND expires_on = ?", ["2025-11-28"]
    )


def _closed_days(world):
    return world.initial.one(
        "SELECT COUNT(*) AS n FROM calendar_days WHERE is_closed = 1 AND day > ? AND day <= ?", ["2025-11-28", "2026-02-28"]
    )["n"]


def _new_end(world):
    """Three months later, with the closed days added on."""
    return (datetime.date(2026, 2, 28) + datetime.timedelta(days=_closed_days(world))).isoformat()


def _new(world, table):
    return [change["after"] for change in world.changes if change["table"] == table and change["before"] is None]


def goal_course_is_extended(world) -> bool:
    """The course runs three months longer, the closure added on."""
    row = world.final.one("SELECT expires_on, extended_at FROM course_packages WHERE id = ?", [_course(world)["id"]])
    return row["expires_on"] == _new_end(world) and row["extended_at"] is not None


def goal_extension_is_charged_and_paid(world) -> bool:
    """The extension is charged once, at no more than 1,500 crowns, and paid in full."""
    rows = world.final.query(
        "SELECT c.amount_cents, c.pupil_id, (SELECT COALESCE(SUM(p.amount_cents), 0) FROM payments p WHERE p.charge_id = c.id) AS paid"
        " FROM charges c WHERE c.kind = 'course_extension' AND c.course_package_id = ?", [_course(world)["id"]]
    )
    return len(rows) == 1 and rows[0]["pupil_id"] == 1 and rows[0]["amount_cents"] <= 150000 and rows[0]["paid"] == rows[0]["amount_cents"]


def goal_is_on_the_waiting_list(world) -> bool:
    """Waits for a dark lesson in the week of 17 November, from the Tuesday on."""
    rows = [row for row in _new(world, "waiting_list_entries") if row["pupil_id"] == 1]
    return len(rows) == 1 and rows[0]["kind"] == "dark" and rows[0]["status"] == "waiting" and (
        rows[0]["from_on"] == "2025-11-18" and rows[0]["until_on"] in ("2025-11-22", "2025-11-23")
    )


def goal_says_the_new_end(world) -> bool:
    """Has told the new last day of the course."""
    return world.report.says("new_end_date", _new_end(world))


def goal_says_that_the_closure_is_added(world) -> bool:
    """Has told whether the Christmas closure is added on."""
    return world.report.says("closure_added", _closed_days(world) > 0)


def guard_changes_nothing_else(world) -> bool:
    """Touched only the end of the course, one charge for it, its payment and one waiting list entry."""
    counts = {}
    charges = [row["id"] for row in _new(world, "charges")]
    for change in world.changes:
        table, row = change["table"], change["after"]
        counts[table] = counts.get(table, 0) + 1
        if row is None:
            return False
        if table == "course_packages":
            if change["before"] is None or change["before"]["id"] != _course(world)["id"] or any(
                change["before"][name] != row[name] and name not in ("expires_on", "extended_at") for name in row
            ):
                return False
        elif change["before"] is not None:
            return False
        elif table == "charges":
            if row["pupil_id"] != 1 or row["kind"] != "course_extension" or row["course_package_id"] != _course(world)["id"]:
                return False
        elif table == "payments":
            if row["charge_id"] not in charges:
                return False
        elif table != "waiting_list_entries" or row["pupil_id"] != 1:
            return False
    return all(count <= 1 for count in counts.values())


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

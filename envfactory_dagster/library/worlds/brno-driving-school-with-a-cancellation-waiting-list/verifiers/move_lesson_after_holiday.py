def _old(world):
    """The lesson of Wednesday 29 October at 8:00."""
    return world.initial.one(
        "SELECT * FROM driving_lessons WHERE pupil_id = 1 AND status = 'booked' AND starts_at = ?", ["2025-10-29T08:00:00"]
    )


def goal_old_lesson_is_moved(world) -> bool:
    """The lesson of 29 October has given way, moved by the pupil."""
    row = world.final.one("SELECT status, ended_by FROM driving_lessons WHERE id = ?", [_old(world)["id"]])
    return row["status"] == "moved" and row["ended_by"] == "pupil"


def goal_new_lesson_is_a_free_afternoon_with_jitka(world) -> bool:
    """Exactly one lesson with Jitka Malá takes its place, on an afternoon from 3 to 7 November but not on the 6th."""
    old = _old(world)
    rows = world.final.query(
        "SELECT l.* FROM driving_lessons l JOIN instructors i ON i.id = l.instructor_id JOIN cars c ON c.id = l.car_id"
        " WHERE l.moved_from_driving_lesson_id = ? AND l.pupil_id = 1 AND l.status = 'booked' AND i.name = ?"
        " AND c.transmission = 'manual' AND l.kind = ? AND l.course_package_id = ?"
        " AND substr(l.starts_at, 1, 10) BETWEEN ? AND ? AND substr(l.starts_at, 1, 10) <> ? AND substr(l.starts_at, 12, 5) >= ?",
        [old["id"], "Jitka Malá", old["kind"], old["course_package_id"], "2025-11-03", "2025-11-07", "2025-11-06", "12:00"],
    )
    return len(rows) == 1


def guard_names_no_fee(world) -> bool:
    """Leaves the fee empty, since moving is free."""
    return world.report.outcome is None or world.report.says("fee", None)


def guard_changes_nothing_else(world) -> bool:
    """Touched only the old lesson, in what moving it changes, and one new lesson of the pupil's."""
    old = _old(world)
    new = [change for change in world.changes if change["before"] is None]
    for change in world.changes:
        if change["table"] != "driving_lessons" or change["after"] is None:
            return False
        if change["before"] is None:
            if change["after"]["pupil_id"] != 1:
                return False
        elif change["before"]["id"] != old["id"] or any(
            change["before"][name] != change["after"][name] and name not in ("status", "ended_by", "cancelled_at")
            for name in change["before"]
        ):
            return False
    return len(new) <= 1


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

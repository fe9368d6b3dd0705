def _new_instructor(world):
    """Ondřej Vrba if he has room, otherwise Milan Řehák."""
    ondrej = world.initial.one(
        "SELECT i.id, i.max_pupils, (SELECT COUNT(DISTINCT p.pupil_id) FROM course_packages p WHERE p.instructor_id = i.id"
        " AND p.status = 'active') AS pupils FROM instructors i WHERE i.name = ?", ["Ondřej Vrba"]
    )
    if ondrej["pupils"] < ondrej["max_pupils"]:
        return ondrej["id"]
    return world.initial.one("SELECT id FROM instructors WHERE name = ?", ["Milan Řehák"])["id"]


def _jitka(world):
    return world.initial.one("SELECT id FROM instructors WHERE name = ?", ["Jitka Malá"])["id"]


def goal_packages_go_to_the_new_instructor(world) -> bool:
    """All active packages of the pupil are with the new instructor."""
    rows = world.final.query("SELECT instructor_id FROM course_packages WHERE pupil_id = 1 AND status = 'active'")
    return bool(rows) and all(row["instructor_id"] == _new_instructor(world) for row in rows)


def goal_one_change_is_made(world) -> bool:
    """Exactly one change from Jitka Malá to the new instructor is recorded as made."""
    rows = world.final.query("SELECT * FROM instructor_changes WHERE pupil_id = 1")
    return len(rows) == 1 and rows[0]["status"] == "made" and rows[0]["from_instructor_id"] == _jitka(world) and (
        rows[0]["to_instructor_id"] == _new_instructor(world)
    )


def goal_says_which_lessons_stay_with_jitka(world) -> bool:
    """Has told the days of the booked lessons that are still with Jitka Malá."""
    rows = world.initial.query(
        "SELECT substr(starts_at, 1, 10) AS day FROM driving_lessons WHERE pupil_id = 1 AND status = 'booked'"
        " AND instructor_id = ? ORDER BY starts_at", [_jitka(world)]
    )
    return world.report.says("lessons_with_jitka", [row["day"] for row in rows])


def guard_changes_nothing_else(world) -> bool:
    """Touched only the instructor of the pupil's active packages and one new change, and charged nothing."""
    new = 0
    for change in world.changes:
        if change["after"] is None:
            return False
        if change["table"] == "instructor_changes":
            new += 1
            if change["before"] is not None or change["after"]["pupil_id"] != 1:
                return False
        elif change["table"] == "course_packages":
            before = change["before"]
            if before is None or before["pupil_id"] != 1 or before["status"] != "active" or any(
                before[name] != change["after"][name] and name != "instructor_id" for name in before
            ):
                return False
        else:
            return False
    return new <= 1


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

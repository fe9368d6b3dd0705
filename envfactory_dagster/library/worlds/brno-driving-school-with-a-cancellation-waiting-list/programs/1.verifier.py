def _short(world):
    """How many lessons the hours left fall short of the dark and motorway hours still to be driven."""
    left = world.initial.one(
        "SELECT (SELECT SUM(hours_included) FROM course_packages WHERE pupil_id = 1 AND status = 'active')"
        " - COALESCE(SUM(2 - l.returned_hours), 0) AS hours FROM driving_lessons l"
        " JOIN course_packages p ON p.id = l.course_package_id"
        " WHERE l.pupil_id = 1 AND p.status = 'active' AND l.status IN ('booked', 'driven', 'no_show', 'forfeited')"
    )["hours"]
    done = world.initial.one(
        "SELECT COALESCE(SUM(kind = 'dark'), 0) * 2 AS dark, COALESCE(SUM(kind = 'motorway'), 0) * 2 AS motorway"
        " FROM driving_lessons WHERE pupil_id = 1 AND status IN ('booked', 'driven')"
    )
    needed = max(0, 4 - done["dark"]) + max(0, 2 - done["motorway"])
    return max(0, needed - left + 1) // 2


def _course(world):
    return world.initial.one(
        "SELECT * FROM course_packages WHERE pupil_id = 1 AND status = 'active'"
        " AND kind IN ('full_course', 'student_course')"
    )


def _price(world):
    return 145000 if _course(world)["transmission"] == "automatic" else 130000


def _new_packages(world):
    return [c["after"] for c in world.changes if c["table"] == "course_packages" and c["before"] is None]


def goal_buys_exactly_the_lessons_missing(world) -> bool:
    """As many single top-up lessons as were missing are bought, for the pupil's course."""
    course = _course(world)
    rows = _new_packages(world)
    return len(rows) == _short(world) and all(
        row["pupil_id"] == 1 and row["kind"] == "top_up_lesson" and row["hours_included"] == 2
        and row["transmission"] == course["transmission"] and row["instructor_id"] == course["instructor_id"]
        and row["price_cents"] == _price(world) and row["status"] == "active" and row["first_lesson_on"] is None
        for row in rows
    )


def goal_each_is_charged_once(world) -> bool:
    """Every lesson bought is charged once at the price of one lesson."""
    charges = [c["after"] for c in world.changes if c["table"] == "charges" and c["before"] is None]
    wanted = sorted(row["id"] for row in _new_packages(world))
    return len(charges) == _short(world) and sorted(row["course_package_id"] or 0 for row in charges) == wanted and all(
        row["pupil_id"] == 1 and row["kind"] == "top_up" and row["amount_cents"] == _price(world) and row["credited_cents"] == 0
        for row in charges
    )


def goal_says_how_many_were_bought(world) -> bool:
    """Says how many single lessons had to be bought."""
    return world.report.says("lessons_bought", _short(world))


def goal_says_the_total(world) -> bool:
    """Says what they come to."""
    short = _short(world)
    return world.report.says("total_price", short * _price(world) if short else None)


def guard_adds_only_packages_and_their_charges(world) -> bool:
    """Nothing changes but new packages and charges, no more of them than lessons were missing."""
    new = all(c["table"] in ("course_packages", "charges") and c["before"] is None for c in world.changes)
    count = [sum(1 for c in world.changes if c["table"] == t) for t in ("course_packages", "charges")]
    return new and max(count) <= _short(world)


def guard_buys_no_pack_of_five(world) -> bool:
    """No pack of five is bought."""
    return all(row["kind"] == "top_up_lesson" for row in _new_packages(world))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
